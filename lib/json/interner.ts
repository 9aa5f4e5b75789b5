import { GenerationalCache, SeenMarks } from '../generational-cache.ts';
import { longestHashed } from '../text-map.ts';
import { standsAt } from './member-notes.ts';
import { SharedTrees } from './shared-trees.ts';

/**
 * A repeated part of a statement: an Agent, a Verb, an Activity. Trees of such parts are cached by their texts and shared
 * by all statements that contain them (docs/decisions/0027-interning.md).
 */
export interface Fragment {
  /** The property whose value it is. */
  readonly name: string;
  /** Its bytes, each as one character. */
  readonly text: string;
  /** Undefined while it is not cached. */
  readonly tree: object | undefined;
}

/** The properties whose values repeat, as they are written. */
const names = [
  'actor',
  'verb',
  'object',
  'authority',
  'instructor',
  'team',
  'contextActivities',
  'contextAgents',
  'contextGroups',
].map((name) => ({ name, written: Buffer.from(`"${name}"`) }));

/** Bytes. Shorter texts gain nothing; longer ones need too much of the cache. */
const shortest = 24;
const longest = longestHashed;
/** The characters of all texts of a generation. */
const generationSize = 512 * 1024;

/** Interns parts of statements: their trees are kept by their texts. */
export class Interner {
  /** The cached trees, and values computed from them. */
  readonly trees = new SharedTrees();
  readonly #byText = new GenerationalCache<object>(generationSize, (text) => text.length);
  /** Signatures of texts that came once, so that most texts which never repeat are not cached. */
  readonly #seen = new SeenMarks(8192);

  /**
   * The cached part for the text from `start` to `end`, as the value of the member that begins at `member`; undefined where
   * such values do not repeat, or this one has not come before.
   */
  fragmentAt(bytes: Buffer, member: number, start: number, end: number): Fragment | undefined {
    if (end - start < shortest || end - start > longest) return undefined;
    const name = names.find(({ written }) => standsAt(bytes, member, written))?.name;
    if (name === undefined) return undefined;
    const text = bytes.toString('latin1', start, end);
    const tree = this.#byText.get(text);
    return tree !== undefined || this.#comesAgain(bytes, start, end) ? { name, text, tree } : undefined;
  }

  /** Caches the tree of a part; it is frozen from now on. */
  keep({ text }: Fragment, tree: object): void {
    this.#byText.set(text, this.trees.share(tree));
  }

  /** Whether the bytes, or others with the same signature, have come before; records that they have come now. */
  #comesAgain(bytes: Buffer, start: number, end: number): boolean {
    const step = 1 + ((end - start) >> 6);
    let mark = end - start;
    for (let at = end - 1; at >= start; at -= step) mark = (Math.imul(mark, 31) + (bytes[at] ?? 0)) | 0;
    return this.#seen.comesAgain(mark);
  }
}
