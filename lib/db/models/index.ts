import type { Sequelize } from 'sequelize';
import { defineAttachment } from './attachment.ts';

/**
 * The models of one Sequelize instance. Each instance (reader, writer) has its own set: a model taken from a session
 * can only speak through that session's connection.
 */
export function defineModels(sequelize: Sequelize) {
  return { Attachment: defineAttachment(sequelize) };
}

export type Models = ReturnType<typeof defineModels>;
