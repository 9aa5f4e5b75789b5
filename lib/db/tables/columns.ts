import type { Column } from './table.ts';

export const integer = { type: 'integer', kind: 'integer', nullable: false } as const satisfies Column;
export const smallint = { type: 'smallint', kind: 'integer', nullable: false } as const satisfies Column;
/** Integers of up to 53 bits: positions, times, counts, lengths. */
export const bigint = { type: 'position', kind: 'integer', nullable: false } as const satisfies Column;
/** The same, where a batch counts from the position that it gets. */
export const position = { type: 'position', kind: 'position', nullable: false } as const satisfies Column;
export const uuid = { type: 'uuid', kind: 'uuid', nullable: false } as const satisfies Column;
export const searchKey = { type: 'searchKey', kind: 'hex', nullable: false } as const satisfies Column;
export const indexKey = { type: 'indexKey', kind: 'key', nullable: false } as const satisfies Column;
/** Keys, hashes, secrets: few bytes. */
export const bytes = { type: 'bytes', kind: 'hex', nullable: false } as const satisfies Column;
/** Bytes of any length. */
export const content = { type: 'bytes', kind: 'content', nullable: false } as const satisfies Column;
export const name = { type: 'name', kind: 'text', nullable: false } as const satisfies Column;
export const text = { type: 'text', kind: 'text', nullable: false } as const satisfies Column;
/** Text of any length, such as JSON. */
export const longText = { type: 'text', kind: 'document', nullable: false } as const satisfies Column;

export function ascii<const Length extends number>(length: Length) {
  return { type: 'ascii', length, kind: 'text', nullable: false } as const satisfies Column;
}

export function char<const Length extends number>(length: Length) {
  return { type: 'char', length, kind: 'text', nullable: false } as const satisfies Column;
}

export function orNull<const Of extends Column>(
  column: Of,
): Omit<Of, 'nullable'> & { readonly nullable: true } {
  return { ...column, nullable: true };
}

export function withDefault<const Of extends Column>(
  column: Of,
  value: number,
): Of & { readonly default: number } {
  return { ...column, default: value };
}
