import type { Replacements, SqlValue } from '../../types.ts';

export interface BoundSql {
  readonly sql: string;
  /** Values by `:name`. */
  readonly values: Record<string, string | number | boolean | null | Buffer>;
}

/**
 * Binds every value, so that none becomes part of the SQL text. A list is sent as one JSON text that SQLite expands, so the
 * text of a query does not depend on the length of its lists and can be kept prepared.
 */
export function bindParameters(sql: string, replacements: Replacements): BoundSql {
  const values: BoundSql['values'] = {};
  const unfoldings = new Map<string, string>();
  for (const [name, value] of Object.entries(replacements)) {
    if (isList(value)) {
      const bytes = value.some((item) => Buffer.isBuffer(item));
      values[`:${name}`] = JSON.stringify(bytes ? value.map(toHex) : value);
      unfoldings.set(`:${name}`, `SELECT ${bytes ? 'unhex(value)' : 'value'} FROM json_each(:${name})`);
    } else {
      values[`:${name}`] = value;
    }
  }
  if (unfoldings.size === 0) return { sql, values };
  return { sql: sql.replace(/:\w+/g, (name) => unfoldings.get(name) ?? name), values };
}

function isList(value: SqlValue): value is readonly string[] | readonly number[] | readonly Buffer[] {
  return Array.isArray(value);
}

function toHex(item: string | number | Buffer): string | number {
  return Buffer.isBuffer(item) ? item.toString('hex') : item;
}
