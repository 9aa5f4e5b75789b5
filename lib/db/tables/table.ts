import type { ColumnKind, TableShape } from '../table-shape.ts';

/** The SQL type of a column: one of `ColumnTypes`, or one that all engines spell alike. */
export type ColumnType =
  | 'position'
  | 'uuid'
  | 'searchKey'
  | 'indexKey'
  | 'bytes'
  | 'name'
  | 'text'
  | 'ascii'
  | 'char'
  | 'integer'
  | 'smallint';

/** A column of a table. */
export interface Column {
  readonly type: ColumnType;
  /** The number of characters of the types `ascii` and `char`. */
  readonly length?: number;
  /** The encoding of its values in inserted rows. */
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly default?: number;
}

/** The definition of a table, as the migrations create it. */
export interface TableDefinition {
  readonly name: string;
  /** In the order of the table. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly primaryKey: readonly string[];
  /** Columns that are unique by themselves. */
  readonly unique?: readonly string[];
  /** The columns of each index, by its name. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
  /** By column, the table whose primary key it refers to; rows are deleted with that of this table. */
  readonly references?: Readonly<Record<string, TableDefinition>>;
}

interface Keys<Name extends string> {
  readonly primaryKey: readonly Name[];
  readonly unique?: readonly Name[];
  readonly indexes?: Readonly<Record<string, readonly Name[]>>;
  readonly references?: { readonly [Column in Name]?: TableDefinition };
}

/** The same, after the compiler has checked that keys and indexes name columns of the table. */
export function table<const Name extends string, const Columns extends Record<string, Column>>(
  definition: { readonly name: Name; readonly columns: Columns } & Keys<Extract<keyof Columns, string>>,
): typeof definition {
  return definition;
}

/** The rows that are inserted into a table: all of its columns, or those that are named, in that order. */
export function rowsOf<Table extends TableDefinition>(
  { name, columns }: Table,
  ...names: readonly Extract<keyof Table['columns'], string>[]
): TableShape & { readonly name: Table['name'] } {
  const named = names.length === 0 ? Object.keys(columns) : names;
  const kinds = named.flatMap((column) => {
    const kind = columns[column]?.kind;
    return kind === undefined ? [] : [[column, kind] as const];
  });
  return { name, columns: Object.fromEntries(kinds) };
}
