import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

/** A person who logs in. */
export class AdminAccount extends Model<
  InferAttributes<AdminAccount>,
  InferCreationAttributes<AdminAccount>
> {
  declare id: string;
  declare username: string;
  /** bcrypt's own text form; empty when another system vouches for the account. */
  declare passwordHash: string;
  /** That system. */
  declare issuer: string | null;
}

/** The AdminAccount model of one Sequelize instance. */
export function defineAdminAccount(sequelize: Sequelize): typeof AdminAccount {
  class Bound extends AdminAccount {}
  Bound.init(
    {
      id: { type: DataTypes.CHAR(36), primaryKey: true },
      username: { type: DataTypes.STRING(255), allowNull: false },
      passwordHash: { type: DataTypes.STRING(100), field: 'password_hash', allowNull: false },
      issuer: { type: DataTypes.TEXT },
    },
    { sequelize, modelName: 'AdminAccount', tableName: 'admin_account', timestamps: false },
  );
  return Bound;
}
