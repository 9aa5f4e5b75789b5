import { RecentMemory, SeenMarks } from '../recent-memory.ts';
import { standsAt } from './member-notes.ts';
import { share } from './shared-trees.ts';

/**
 * A part of a statement that has come before in the same words: an Agent, a Verb, an Activity. Such parts repeat, so their
 * trees are kept by their texts and shared by all statements that hold them (docs/decisions/0027-fragments.md).
 */
export interface Fragment {
  /** Of the property whose value it is. */
  readonly name: string;
  /** Its bytes, each as one character. */
  readonly text: string;
  /** Missing where it is not kept yet. */
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

/** Bytes. Of a shorter text there is nothing to spare; a longer one takes too much of the room. */
const shortest = 24;
const longest = 16_384;
/** Characters of all texts of a generation. */
const generationSize = 512 * 1024;

const trees = new RecentMemory<object>(generationSize, (text) => text.length);

/**
 * The fragment of a text from `start` to `end`, as the value of the member that begins at `member`; undefined where such
 * values do not repeat, or this one has not come before.
 */
export function fragmentAt(bytes: Buffer, member: number, start: number, end: number): Fragment | undefined {
  if (end - start < shortest || end - start > longest) return undefined;
  const name = names.find(({ written }) => standsAt(bytes, member, written))?.name;
  if (name === undefined) return undefined;
  const text = bytes.toString('latin1', start, end);
  const tree = trees.get(text);
  return tree !== undefined || comesAgain(bytes, start, end) ? { name, text, tree } : undefined;
}

/** Keeps a fragment whose tree is not kept yet; from now on nobody can change that. */
export function keepFragment({ text }: Fragment, tree: object): void {
  trees.set(text, share(tree));
}

/** Marks of texts that came once, so that most of those that never come again are not kept. */
const marks = new SeenMarks(8192);

/** Whether the bytes have come before, or others of the same mark; remembers that they have come now. */
function comesAgain(bytes: Buffer, start: number, end: number): boolean {
  const step = 1 + ((end - start) >> 6);
  let mark = end - start;
  for (let at = end - 1; at >= start; at -= step) mark = (Math.imul(mark, 31) + (bytes[at] ?? 0)) | 0;
  return marks.comesAgain(mark);
}
