import type { Json } from '../../json/types.ts';
import { valueAt } from '../value.ts';
import type { CompiledRuleset } from './compiled.ts';
import type { KnownValue } from './lookup.ts';

/** What all statements of a match have in common. */
export interface Identity {
  readonly known: readonly KnownValue[];
  /** Whether a statement has the same. To be called within the effort of one evaluation. */
  readonly has: (statement: Json) => boolean;
}

/**
 * The values that a trigger has at the identity paths, absent ones left out.
 * @returns undefined when there is none, or one is an object or array: then the trigger matches nothing. Without identity
 * paths, all statements belong together.
 */
export function identityOf({ identity }: CompiledRuleset, trigger: Json): Identity | undefined {
  const found = identity.flatMap(({ path, equals }) => {
    const value = valueAt(trigger, path);
    return value === undefined ? [] : [{ path, equals, value }];
  });
  if (found.length === 0 && identity.length > 0) return undefined;
  if (found.some(({ value }) => typeof value === 'object' && value !== null)) return undefined;
  const has = (statement: Json): boolean =>
    found.every(({ path, equals, value }) => equals(valueAt(statement, path), value) === true);
  return { known: found, has };
}
