import type { Json } from '../../lib/json/types.ts';
import type { Condition, ReactionPath, Ruleset } from '../../lib/reactions/types.ts';

/** A stored statement, in the order of positions. */
export interface Told {
  readonly id: string;
  readonly value: Json;
}

/** A statement that a reaction has to make: by what trigger, and what is matched by which condition. */
export interface Expected {
  readonly trigger: string;
  readonly matched: Readonly<Record<string, string>>;
}

type Chosen = Readonly<Record<string, Told>>;
type Truth = boolean | null;

/**
 * What a ruleset makes of statements, each a trigger unless `skip` says otherwise: every combination is tried. Slow, and written
 * from `docs/reactions.md` only. Knows text, numbers, true and false, and timestamps of one form.
 */
export function expectedOf(
  ruleset: Ruleset,
  statements: readonly Told[],
  skip: (id: string) => boolean = () => false,
): Expected[] {
  return statements.flatMap((trigger, place) =>
    skip(trigger.id) ? [] : firingsFor(ruleset, trigger, statements.slice(0, place + 1)),
  );
}

function firingsFor(
  { identityPaths, conditions }: Ruleset,
  trigger: Told,
  past: readonly Told[],
): Expected[] {
  const identity = identityPaths.filter((path) => at(trigger.value, path) !== undefined);
  if (identityPaths.length > 0 && identity.length === 0) return [];
  const same = past.filter(({ value }) =>
    identity.every((path) => at(value, path) === at(trigger.value, path)),
  );
  let combinations: Chosen[] = [{}];
  for (const name of Object.keys(conditions)) {
    combinations = combinations.flatMap((chosen) => same.map((each) => ({ ...chosen, [name]: each })));
  }
  return combinations
    .filter((chosen) => Object.values(chosen).includes(trigger))
    .filter((chosen) =>
      Object.entries(conditions).every(
        ([name, condition]) => truth(condition, chosen[name], chosen) === true,
      ),
    )
    .map((chosen) => ({
      trigger: trigger.id,
      matched: Object.fromEntries(Object.entries(chosen).map(([name, { id }]) => [name, id])),
    }));
}

function at(value: Json | undefined, path: ReactionPath): Json | undefined {
  return path.reduce<Json | undefined>(
    (found, step) =>
      typeof found === 'object' && found !== null
        ? (found as Record<string | number, Json>)[step]
        : undefined,
    value,
  );
}

function truth(condition: Condition, statement: Told | undefined, chosen: Chosen): Truth {
  if ('and' in condition) {
    const all = condition.and.map((each) => truth(each, statement, chosen));
    return all.includes(false) ? false : all.includes(null) ? null : true;
  }
  if ('or' in condition) {
    const all = condition.or.map((each) => truth(each, statement, chosen));
    return all.includes(true) ? true : all.includes(null) ? null : false;
  }
  if ('not' in condition) {
    const inner = truth(condition.not, statement, chosen);
    return inner === null ? null : !inner;
  }
  const { path, op, val, ref } = condition;
  const left = at(statement?.value, path);
  const right = ref === undefined ? val : at(chosen[ref.condition]?.value, ref.path);
  if (left === undefined || right === undefined) return null;
  return compared(op, left, right);
}

function compared(op: string, left: Json, right: Json): Truth {
  if (op === 'contains') return Array.isArray(left) ? left.includes(right) : null;
  if (op === 'like') {
    const pattern = String(right).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's').test(String(left));
  }
  if (op === 'eq') return left === right;
  if (op === 'noteq') return left !== right;
  if (typeof left !== typeof right || left === null || typeof left === 'object') return null;
  const sign = left < (right as typeof left) ? -1 : left > (right as typeof left) ? 1 : 0;
  return { gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 }[op] ?? null;
}
