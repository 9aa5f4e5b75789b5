import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

/** Random bytes that all instances on one database share. */
export class ServerSecret extends Model<
  InferAttributes<ServerSecret>,
  InferCreationAttributes<ServerSecret>
> {
  declare name: string;
  declare content: Buffer;
}

/** The ServerSecret model of one Sequelize instance. */
export function defineServerSecret(sequelize: Sequelize): typeof ServerSecret {
  class Bound extends ServerSecret {}
  Bound.init(
    {
      name: { type: DataTypes.STRING(64), primaryKey: true },
      content: { type: DataTypes.BLOB, allowNull: false },
    },
    { sequelize, modelName: 'ServerSecret', tableName: 'server_secret', timestamps: false },
  );
  return Bound;
}
