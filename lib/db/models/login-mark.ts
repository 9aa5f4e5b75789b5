import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

/** A mark that counts until a time; together they slow wrong logins down. */
export class LoginMark extends Model<InferAttributes<LoginMark>, InferCreationAttributes<LoginMark>> {
  declare mark: Buffer;
  /** Milliseconds since the epoch. */
  declare endsAt: number;
}

/** The LoginMark model of one Sequelize instance. */
export function defineLoginMark(sequelize: Sequelize): typeof LoginMark {
  class Bound extends LoginMark {}
  Bound.init(
    {
      mark: { type: DataTypes.BLOB, primaryKey: true },
      endsAt: { type: DataTypes.BIGINT, field: 'ends_at', allowNull: false },
    },
    { sequelize, modelName: 'LoginMark', tableName: 'login_mark', timestamps: false },
  );
  return Bound;
}
