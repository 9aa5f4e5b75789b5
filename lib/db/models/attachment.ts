import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

/** The content of an attachment, once for all the statements that carry it. */
export class Attachment extends Model<InferAttributes<Attachment>, InferCreationAttributes<Attachment>> {
  /** Lower-case hex of the content's SHA-2 hash. */
  declare sha2: string;
  declare contentType: string;
  declare length: number;
  declare content: CreationOptional<Buffer>;
}

/** The Attachment model of one Sequelize instance. */
export function defineAttachment(sequelize: Sequelize): typeof Attachment {
  class Bound extends Attachment {}
  Bound.init(
    {
      sha2: { type: DataTypes.STRING(128), primaryKey: true },
      contentType: { type: DataTypes.TEXT, field: 'content_type', allowNull: false },
      length: { type: DataTypes.BIGINT, allowNull: false },
      content: { type: DataTypes.BLOB('long'), allowNull: false },
    },
    { sequelize, modelName: 'Attachment', tableName: 'attachment', timestamps: false },
  );
  return Bound;
}
