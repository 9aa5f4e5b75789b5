import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindParameters as forMariadb } from '../../../lib/db/dialects/mariadb/sql.ts';
import { bindParameters as forPostgres } from '../../../lib/db/dialects/postgres/sql.ts';
import { bindParameters as forSqlite } from '../../../lib/db/dialects/sqlite/parameters.ts';
import { join, raw, type Sql, sql } from '../../../lib/db/sql.ts';
import type { SqlValue } from '../../../lib/db/types.ts';

/** A text and values with which it is filled, as each engine gets it. */
function onEngines({ text, values }: Sql) {
  const sqlite = forSqlite(text, values);
  const postgres = forPostgres(text, values);
  return {
    sqlite: [sqlite.sql, sqlite.values],
    postgres: [postgres.text, postgres.values],
    mariadb: Object.values(forMariadb(text, values)),
  };
}

describe('a fragment of SQL', () => {
  it('names its values in their order', () => {
    const { text, values } = sql`SELECT ${1} FROM t WHERE a = ${'x'} AND b = ${'x'}`;
    expect(text).toBe('SELECT :v0 FROM t WHERE a = :v1 AND b = :v2');
    expect(values).toEqual({ v0: 1, v1: 'x', v2: 'x' });
  });

  it('becomes part of the one that it is interpolated into, as often as it is', () => {
    const bounds = sql`p > ${1} AND p <= ${2}`;
    const { text, values } = sql`SELECT ${0} WHERE (${bounds}) OR (${bounds}) LIMIT ${3}`;
    expect(text).toBe('SELECT :v0 WHERE (p > :v1 AND p <= :v2) OR (p > :v3 AND p <= :v4) LIMIT :v5');
    expect(values).toEqual({ v0: 0, v1: 1, v2: 2, v3: 1, v4: 2, v5: 3 });
    expect(bounds.text).toBe('p > :v0 AND p <= :v1');
  });

  it('is the same whenever it is asked for', () => {
    const fragment = sql`a = ${1}`;
    const { text, values } = fragment;
    expect(sql`NOT ${fragment}`.text).toBe('NOT a = :v0');
    expect(fragment.text).toBe(text);
    expect(fragment.values).toBe(values);
  });

  it('binds what a value holds, whatever that looks like', () => {
    const { text, values } = sql`SELECT ${"'; DROP TABLE t; -- :v1"}`;
    expect(text).toBe('SELECT :v0');
    expect(values).toEqual({ v0: "'; DROP TABLE t; -- :v1" });
  });

  it('takes raw text as it is', () => {
    expect(sql`SELECT ${raw('a.b')} FROM ${raw('t')}`).toMatchObject({
      text: 'SELECT a.b FROM t',
      values: {},
    });
  });

  it('may be joined from several, one, or none', () => {
    const conditions = [1, 2, 3].map((value) => sql`a <> ${value}`);
    expect(join(conditions, ' AND ')).toMatchObject({
      text: 'a <> :v0 AND a <> :v1 AND a <> :v2',
      values: { v0: 1, v1: 2, v2: 3 },
    });
    expect(join(conditions.slice(0, 1), ' AND ')).toMatchObject({ text: 'a <> :v0', values: { v0: 1 } });
    expect(join([], ' AND ')).toMatchObject({ text: '', values: {} });
  });

  it('has the placeholders of each engine', () => {
    expect(onEngines(sql`a = ${'x'} AND b IN (${[1, 2, 3]}) AND c = ${null}`)).toEqual({
      sqlite: [
        'a = :v0 AND b IN (SELECT value FROM json_each(:v1)) AND c = :v2',
        { ':v0': 'x', ':v1': '[1,2,3]', ':v2': null },
      ],
      postgres: ['a = $1 AND b = ANY ($2) AND c = $3', ['x', '{1,2,3}', null]],
      mariadb: ['a = ? AND b IN (?, ?, ?, ?) AND c = ?', ['x', 1, 2, 3, 3, null]],
    });
  });

  it('looks for nothing in an empty list', () => {
    expect(onEngines(sql`a IN (${[]})`)).toEqual({
      sqlite: ['a IN (SELECT value FROM json_each(:v0))', { ':v0': '[]' }],
      postgres: ['a = ANY ($1)', ['{}']],
      mariadb: ['a IN (?)', [null]],
    });
  });
});

/** A tree of fragments without its values. */
type Shape = readonly (string | null | Shape)[];

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.array(fc.oneof(fc.constantFrom(' AND ', ' x = ', ' ( '), fc.constant(null), tie('shape')), {
    maxLength: 5,
    depthIdentifier: 'sql',
  }),
}));
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

/** The fragment of a shape, each null in it being the next one of the values. */
function built(parts: Shape, next: () => SqlValue): Sql {
  return join(
    parts.map((part) => {
      if (typeof part === 'string') return raw(part);
      return part === null ? sql` ${next()} ` : sql`${built(part, next)}`;
    }),
    '',
  );
}

describe('any tree of fragments', () => {
  it('has the same text whatever its values are, and all of them in their order', () => {
    fc.assert(
      fc.property(shape, fc.infiniteStream(scalar), fc.infiniteStream(scalar), (parts, one, other) => {
        const used: SqlValue[] = [];
        const first = built(parts, () => {
          const { value } = one.next();
          used.push(value);
          return value;
        });
        const second = built(parts, () => other.next().value);
        expect(second.text).toBe(first.text);
        expect(Object.values(first.values)).toEqual(used);
        expect(forMariadb(first.text, first.values).values).toEqual(used);
        const names = [...first.text.matchAll(/:(\w+)/g)].map(([, name]) => name);
        expect(names).toEqual(used.map((_, index) => `v${index}`));
      }),
    );
  });

  it('has the same text as one that is written in one piece', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        const nested = sql`${sql`a = ${a}`} AND ${join([sql`b = ${b}`, sql`${raw('c')} = ${c}`], ' AND ')}`;
        const whole = sql`a = ${a} AND b = ${b} AND c = ${c}`;
        expect(nested.text).toBe(whole.text);
        expect(nested.values).toEqual(whole.values);
      }),
    );
  });
});
