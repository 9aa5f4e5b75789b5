import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { keyOf, pathOf } from '../../../xapi/property-path.ts';

/** What the server says about a place of the ruleset. */
export interface Note {
  readonly path: PropertyPath;
  readonly message: string;
  /** With an error the ruleset is refused. */
  readonly kind: 'error' | 'warning';
  /** The rule that it breaks, or why it is warned of. */
  readonly rule?: string | undefined;
}

interface Remark {
  readonly path: string;
  readonly message: string;
  readonly rule?: string;
}

export function notesOf(remarks: readonly Remark[], kind: Note['kind']): Note[] {
  return remarks.map(({ path, message, rule }) => ({ path: placeOf(path), message, kind, rule }));
}

/** Reads places such as `$.conditions.a.and[0].op`; anything else is the whole. */
export function placeOf(path: string): PropertyPath {
  return (path.startsWith('$') ? pathOf(path.slice(1)) : undefined) ?? [];
}

/** Those about this very place. */
export function notesAt(notes: readonly Note[], path: PropertyPath): Note[] {
  return notes.filter((note) => keyOf(note.path) === keyOf(path));
}

/** Those about the place and all that lies in it. */
export function notesWithin(notes: readonly Note[], path: PropertyPath): Note[] {
  return notes.filter((note) => keyOf(note.path.slice(0, path.length)) === keyOf(path));
}

/** Those about the whole, and about members other than these. */
export function notesOutside(notes: readonly Note[], members: readonly string[]): Note[] {
  return notes.filter(({ path }) => !members.includes(String(path[0])));
}
