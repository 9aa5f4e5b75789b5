import type { Fragment, Interner } from './interner.ts';
import { mayHoldNul, type ParsedJson } from './json.ts';
import type { ObjectSpan } from './object-text.ts';

/** A fragment in an object or in its context, and where it begins and ends. */
interface Part {
  readonly fragment: Fragment;
  readonly inContext: boolean;
  readonly start: number;
  readonly end: number;
}

type Tree = Record<string, unknown>;

/** An object of a scanned text, and what interns its fragments. */
export interface WrittenObject {
  readonly buffer: Buffer;
  readonly span: ObjectSpan;
  readonly interner: Interner;
}

/**
 * Parses an object of a scanned text: only what is left when its known fragments are cut out, whose trees are then put in
 * their places.
 * @param parse parses that.
 * @returns undefined where the object has to be parsed as a whole: no fragment is known, a name stands twice, or `parse` gives nothing.
 */
export function parseWithFragments(
  { buffer, span, interner }: WrittenObject,
  parse: (text: string) => ParsedJson | undefined,
): ParsedJson | undefined {
  const parts = partsOf(buffer, span, interner);
  if (parts.length === 0) return undefined;
  const parsed = parse(withoutKnown(parts, buffer, span));
  if (parsed === undefined) return undefined;
  const { value, source } = parsed;
  if (!isTree(value) || !isTree(source) || !hasAllNames(value, span)) return undefined;
  for (const part of parts) {
    place(part, value, interner);
    if (source !== value) place(part, source, interner);
  }
  return parsed;
}

function partsOf(buffer: Buffer, { parts, unusualNumbers }: ObjectSpan, interner: Interner): Part[] {
  const found: Part[] = [];
  for (let at = 0; at < parts.length; at += 4) {
    const inContext = parts[at] === 1;
    const start = parts[at + 2] ?? 0;
    const end = parts[at + 3] ?? 0;
    const fragment = interner.fragmentAt(buffer, parts[at + 1] ?? 0, start, end);
    // Where numbers are marked, two trees differ, and neither may stand for the other.
    if (fragment === undefined || (fragment.tree === undefined && unusualNumbers)) continue;
    found.push({ fragment, inContext, start, end });
  }
  return found;
}

/** The text with `null` in the place of each fragment whose tree is known. */
function withoutKnown(parts: readonly Part[], buffer: Buffer, span: ObjectSpan): string {
  let text = '';
  let at = span.start;
  for (const { fragment, start, end } of parts) {
    if (fragment.tree === undefined) continue;
    text += `${buffer.toString('utf8', at, start)}null`;
    at = end;
  }
  return text + buffer.toString('utf8', at, span.end);
}

/** Puts the tree of a known fragment into its place, and keeps the one that is in the place of another. */
function place({ fragment, inContext }: Part, whole: Tree, interner: Interner): void {
  const owner = inContext ? whole.context : whole;
  if (!isTree(owner)) return;
  const { name, tree } = fragment;
  if (tree !== undefined) owner[name] = tree;
  // A text that needs a closer look gets it each time.
  else if (isTree(owner[name]) && !mayHoldNul(fragment.text)) interner.keep(fragment, owner[name]);
}

/** Whether no name stands twice in the object, nor in its context: it would not be known which one counts. */
function hasAllNames(tree: Tree, { members, contextMembers }: ObjectSpan): boolean {
  if (countMembers(tree) !== members.length / 2) return false;
  return contextMembers === 0 || (isTree(tree.context) && countMembers(tree.context) === contextMembers);
}

function countMembers(tree: Tree): number {
  let count = 0;
  for (const _ in tree) count += 1;
  return count;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}
