import { type DataType, DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';
import type { Column, ColumnType, TableDefinition } from './tables/table.ts';

/** `created_at` is `createdAt` in models. */
type Property<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Property<Tail> & string>}`
  : Name;

type PlainValue<Type extends ColumnType> = Type extends 'searchKey' | 'bytes'
  ? Buffer
  : Type extends 'position' | 'integer' | 'smallint'
    ? number
    : string;

type ValueOf<Of extends Column> = Of['nullable'] extends true
  ? PlainValue<Of['type']> | null
  : PlainValue<Of['type']>;

/** A table's row as its model returns it. For a column of the type `position`, drivers return a number or its digits. */
export type RowOf<Table extends TableDefinition> = {
  -readonly [Name in keyof Table['columns'] as Property<Name>]: ValueOf<Table['columns'][Name]>;
};

/** The properties that may be omitted in a new row. */
type Optional<Columns extends TableDefinition['columns']> = {
  [Name in keyof Columns]: Columns[Name] extends { readonly nullable: true } | { readonly default: number }
    ? Property<Name>
    : never;
}[keyof Columns];

type NewRowOf<Table extends TableDefinition> = Omit<RowOf<Table>, Optional<Table['columns']> & string> &
  Partial<RowOf<Table>>;

/** The model of a table. */
export type ModelOf<Table extends TableDefinition> = ModelStatic<
  Model<RowOf<Table>, NewRowOf<Table>> & RowOf<Table>
>;

/**
 * The model of a table on one Sequelize instance, created on first use. Each instance (reader, writer) has its own: a model
 * of a session uses only that session's connection.
 */
export function modelOf<Table extends TableDefinition>(sequelize: Sequelize, table: Table): ModelOf<Table> {
  const { name, columns, primaryKey } = table;
  const model: unknown = sequelize.isDefined(name)
    ? sequelize.model(name)
    : sequelize.define(
        name,
        Object.fromEntries(
          Object.entries(columns).map(([field, column]) => [
            propertyOf(field),
            { ...attributeOf(column), field, primaryKey: primaryKey.includes(field) },
          ]),
        ),
        { tableName: name, timestamps: false },
      );
  // The definition has exactly the columns of the type.
  return model as ModelOf<Table>;
}

function propertyOf(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function attributeOf({ nullable, default: defaultValue, ...column }: Column) {
  const type = dataTypeOf(column);
  return { type, allowNull: nullable, ...(defaultValue !== undefined && { defaultValue }) };
}

const dataTypes = {
  position: DataTypes.BIGINT,
  uuid: DataTypes.CHAR(36),
  searchKey: DataTypes.BLOB,
  indexKey: DataTypes.BLOB,
  bytes: DataTypes.BLOB,
  name: DataTypes.STRING(255),
  text: DataTypes.TEXT,
  integer: DataTypes.INTEGER,
  smallint: DataTypes.SMALLINT,
} as const satisfies Readonly<Record<Exclude<ColumnType, 'ascii' | 'char'>, unknown>>;

function dataTypeOf({ type, length }: Pick<Column, 'type' | 'length'>): DataType {
  if (type === 'ascii') return DataTypes.STRING(length);
  if (type === 'char') return DataTypes.CHAR(length);
  return dataTypes[type];
}
