import type { ErrorDetail } from '../../../api/errors.ts';
import type { Item, Problem } from './items.ts';
import { sha1 } from './sha1.ts';

/** Where a statement stands in the file. */
interface Place {
  /** Counted from 1. */
  readonly index: number;
  readonly line: number;
}

/** A statement that can be sent, its text as it came but for the id that it may have got. */
export interface Outgoing extends Place {
  readonly id: string | undefined;
  readonly text: string;
  /** Bytes. */
  readonly size: number;
}

/** A statement that is put aside, and why. */
export interface Failure extends Place {
  readonly id: string | undefined;
  /** As far as it could be read. */
  readonly text: string;
  readonly reasons: readonly ErrorDetail[];
}

export type Entry = Outgoing | Failure;

/** What the operator reads of each problem. */
export type ProblemWords = Readonly<Record<Problem, string>>;

/** Makes entries of the items of a file. */
export interface Preparation {
  /** Stands for the file, the same each time that it is read. */
  readonly fingerprint: string;
  readonly words: ProblemWords;
}

export function isFailure(entry: Entry): entry is Failure {
  return 'reasons' in entry;
}

/**
 * Gives a statement without an id one, always the same for this place of this file: sent again after a failure it is not
 * stored twice.
 */
export function prepare(item: Item, index: number, { fingerprint, words }: Preparation): Entry {
  const place = { index, line: item.line };
  if ('problem' in item) return failureOf(place, '', words[item.problem]);
  const value = parsed(item.text);
  if (value === undefined) return failureOf(place, item.text, words['not-json']);
  if (!isObject(value) || 'id' in value) {
    const id = isObject(value) && typeof value.id === 'string' ? value.id : undefined;
    return { ...place, id, text: item.text, size: item.size };
  }
  const id = uuidOf(`${fingerprint} ${index} ${item.text}`);
  const rest = item.text.slice(1);
  const comma = Object.keys(value).length === 0 ? '' : ',';
  return { ...place, id, text: `{"id":"${id}"${comma}${rest}`, size: item.size + 45 };
}

function failureOf(place: Place, text: string, message: string): Failure {
  return { ...place, id: undefined, text, reasons: [{ path: '', message }] };
}

/** A UUID of version 5 (RFC 9562 5.5) of the name, in a namespace of our own. */
export function uuidOf(name: string): string {
  const bytes = sha1(new TextEncoder().encode(`serverless-lrs upload ${name}`)).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly id?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
