import type { StatementHead } from '../../feed/types.ts';
import type { Json } from '../../json/types.ts';
import type { CompiledCondition } from '../match/compiled.ts';
import { valueAt } from '../value.ts';

/** The parts of a statement that decide, before it is read, whether it may trigger anything. */
export type Head = Pick<StatementHead, 'verb' | 'object' | 'voided'>;

/** Of a statement that is not voided. */
export function headOf(value: Json): Head {
  const [verb, object] = [valueAt(value, ['verb', 'id']), valueAt(value, ['object', 'id'])];
  return { verb: String(verb), object: typeof object === 'string' ? object : null, voided: false };
}

interface Entry<Reaction> extends Pick<CompiledCondition, 'verbs' | 'objects'> {
  readonly reaction: Reaction;
}

/**
 * Finds the reactions that a statement may trigger by its Verb and its Object, in a time that does not grow with their
 * number.
 */
export class Dispatch<Reaction> {
  readonly #byObject = new Map<string, Entry<Reaction>[]>();
  readonly #byVerb = new Map<string, Entry<Reaction>[]>();
  readonly #others: Entry<Reaction>[] = [];

  /** One of the conditions suffices. */
  add(reaction: Reaction, conditions: readonly CompiledCondition[]): void {
    for (const { verbs, objects } of conditions) {
      const entry = { reaction, verbs, objects };
      if (objects !== undefined) addTo(this.#byObject, objects, entry);
      else if (verbs !== undefined) addTo(this.#byVerb, verbs, entry);
      else this.#others.push(entry);
    }
  }

  /** Whether `reactionsFor` would return any. */
  wants(head: Head): boolean {
    if (head.voided) return false;
    return this.#lists(head).some((entries) => entries?.some((entry) => fits(entry, head)));
  }

  /** The reactions that a statement may trigger, each once. */
  reactionsFor(head: Head): ReadonlySet<Reaction> {
    const lists = head.voided ? [] : this.#lists(head);
    const fitting = lists.flatMap((entries) => entries?.filter((entry) => fits(entry, head)) ?? []);
    return new Set(fitting.map(({ reaction }) => reaction));
  }

  #lists({ verb, object }: Head): readonly (readonly Entry<Reaction>[] | undefined)[] {
    return [object === null ? undefined : this.#byObject.get(object), this.#byVerb.get(verb), this.#others];
  }
}

function addTo<Reaction>(
  map: Map<string, Entry<Reaction>[]>,
  keys: ReadonlySet<string>,
  entry: Entry<Reaction>,
): void {
  for (const key of keys) {
    const entries = map.get(key);
    if (entries === undefined) map.set(key, [entry]);
    else entries.push(entry);
  }
}

function fits({ verbs, objects }: Entry<unknown>, { verb, object }: Head): boolean {
  if (verbs !== undefined && !verbs.has(verb)) return false;
  return objects === undefined || (object !== null && objects.has(object));
}
