import type { Sequelize } from 'sequelize';
import { defineAdminAccount } from './admin-account.ts';
import { defineCredential } from './credential.ts';
import { defineLoginMark } from './login-mark.ts';
import { defineServerSecret } from './server-secret.ts';

/**
 * The models of one Sequelize instance. Each instance (reader, writer) has its own set: a model taken from a session
 * can only speak through that session's connection.
 */
export function defineModels(sequelize: Sequelize) {
  return {
    AdminAccount: defineAdminAccount(sequelize),
    Credential: defineCredential(sequelize),
    LoginMark: defineLoginMark(sequelize),
    ServerSecret: defineServerSecret(sequelize),
  };
}

export type Models = ReturnType<typeof defineModels>;
