import type { Fragment, Interner } from './interner.ts';
import { mayHoldNul, type ParsedJson } from './json.ts';
import type { ObjectSpan } from './object-text.ts';

/** A cached part in an object or its context, with its position. */
interface Part {
  readonly fragment: Fragment;
  readonly inContext: boolean;
  readonly start: number;
  readonly end: number;
}

type Tree = Record<string, unknown>;

/** An object of a scanned text, and the interner for its parts. */
export interface WrittenObject {
  readonly buffer: Buffer;
  readonly span: ObjectSpan;
  readonly interner: Interner;
}

/**
 * Parses an object of a scanned text: parses the text without the known parts and then inserts their trees.
 * @param parse parses that text.
 * @returns undefined where the object has to be parsed as a whole: no part is known, a name is repeated, or `parse` returns
 *   nothing.
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
    // Where numbers are marked, the two trees differ, and neither can replace the other.
    if (fragment === undefined || (fragment.tree === undefined && unusualNumbers)) continue;
    found.push({ fragment, inContext, start, end });
  }
  return found;
}

/** The text with `null` in the place of each known part. */
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

/** Inserts the tree of a known part, and caches the tree of a new one. */
function place({ fragment, inContext }: Part, whole: Tree, interner: Interner): void {
  const owner = inContext ? whole.context : whole;
  if (!isTree(owner)) return;
  const { name, tree } = fragment;
  if (tree !== undefined) owner[name] = tree;
  // A text that needs further checks is not cached.
  else if (isTree(owner[name]) && !mayHoldNul(fragment.text)) interner.keep(fragment, owner[name]);
}

/** Whether no name is repeated in the object or its context; otherwise it would be ambiguous which one counts. */
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
