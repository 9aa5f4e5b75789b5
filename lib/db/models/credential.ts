import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

/** A key pair of an account. */
export class Credential extends Model<InferAttributes<Credential>, InferCreationAttributes<Credential>> {
  declare id: string;
  declare accountId: string;
  declare apiKey: string;
  /** Keyed hash of the secret key. */
  declare secretHash: Buffer;
  /** The secret key, encrypted. */
  declare secretSealed: Buffer;
  declare label: string | null;
  /** JSON array of scopes. */
  declare scopes: string;
  /** Milliseconds since the epoch. */
  declare createdAt: number;
}

/** The Credential model of one Sequelize instance. */
export function defineCredential(sequelize: Sequelize): typeof Credential {
  class Bound extends Credential {}
  Bound.init(
    {
      id: { type: DataTypes.CHAR(36), primaryKey: true },
      accountId: { type: DataTypes.CHAR(36), field: 'account_id', allowNull: false },
      apiKey: { type: DataTypes.STRING(255), field: 'api_key', allowNull: false },
      secretHash: { type: DataTypes.BLOB, field: 'secret_hash', allowNull: false },
      secretSealed: { type: DataTypes.BLOB, field: 'secret_sealed', allowNull: false },
      label: { type: DataTypes.TEXT },
      scopes: { type: DataTypes.TEXT, allowNull: false },
      createdAt: { type: DataTypes.BIGINT, field: 'created_at', allowNull: false },
    },
    { sequelize, modelName: 'Credential', tableName: 'credential', timestamps: false },
  );
  return Bound;
}
