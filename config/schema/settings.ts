import Joi from 'joi';
import type { TelemetrySecrets, TelemetrySettings } from '../../lib/telemetry/types.ts';
import type { ConnectionSettings, DatabaseSettings } from '../database.ts';
import type { StoreServerSettings } from '../store-servers.ts';
import type { Config, LrsConfig, Secrets, StoresConfig, WebserverConfig } from '../types.ts';
import { connection, database, logger, tuning } from './database.ts';
import { lrs } from './lrs.ts';
import { stores } from './stores.ts';
import { telemetry } from './telemetry.ts';
import { externalLogin, jwt, tls } from './tokens.ts';
import { webserver } from './webserver.ts';

/** Every key that is known, by group. No key stands in two groups. */
export const groups = {
  database,
  connection,
  tuning,
  lrs,
  webserver: { ...webserver, ...tls, ...jwt, ...externalLogin },
  stores,
  logger,
  telemetry,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Joi.Schema>>>>;

/** The configuration as the schema gives it out, the secrets still among the rest. */
export interface Settings
  extends Omit<Config, 'database' | 'lrs' | 'webserver' | 'stores' | 'telemetry' | 'shown'> {
  readonly database: DatabaseSettings;
  readonly connection: ConnectionSettings;
  /** None of its settings has an effect. */
  readonly tuning: object;
  readonly lrs: LrsConfig & Pick<Secrets, 'adminPassDefault' | 'apiSecretDefault' | 'credentialKey'>;
  readonly webserver: WebserverConfig & Pick<Secrets, 'jwtCommonSecret' | 'keyPassword'>;
  readonly stores: StoresConfig & StoreServerSettings;
  readonly telemetry: TelemetrySettings & TelemetrySecrets;
}

/** On the whole group, because it holds for defaults too. */
const portsDiffer: Joi.CustomValidator<Settings['webserver']> = (group, helpers) =>
  group.httpPort === group.sslPort && group.httpPort !== 0 ? helpers.error('ports.same') : group;

/** Without these nobody could be told apart, and everybody would be let in. */
const noValKeys = ['jwtNoValUname', 'jwtNoValIssuer', 'jwtNoValRoleKey', 'jwtNoValRole'] as const;

const noValComplete: Joi.CustomValidator<Settings['webserver']> = (group, helpers) => {
  const missing = group.jwtNoVal ? noValKeys.filter((name) => group[name] === null) : [];
  return missing.length > 0 ? helpers.error('noVal.incomplete', { present: ['jwtNoVal'], missing }) : group;
};

const oneVoucher: Joi.CustomValidator<Settings['webserver']> = (group, helpers) =>
  group.jwtNoVal && group.oidcIssuer !== null ? helpers.error('vouchers.both') : group;

/** On the whole group, because it holds for defaults too. */
const reactionVersionSupported: Joi.CustomValidator<Settings['lrs']> = (group, helpers) =>
  group.enableReactions && !group.supportedVersions.includes(group.reactionVersion)
    ? helpers.error('reactionVersion.unsupported', { version: group.reactionVersion })
    : group;

/** The single source of defaults, checks and descriptions. */
export const settingsSchema = Joi.object<Settings>({
  database: Joi.object(groups.database),
  connection: Joi.object(groups.connection),
  tuning: Joi.object(groups.tuning),
  lrs: Joi.object(groups.lrs)
    .and('adminUserDefault', 'adminPassDefault')
    .and('apiKeyDefault', 'apiSecretDefault')
    .custom(reactionVersionSupported),
  webserver: Joi.object(groups.webserver).custom(portsDiffer).custom(noValComplete).custom(oneVoucher),
  stores: Joi.object(groups.stores),
  logger: Joi.object(groups.logger),
  telemetry: Joi.object(groups.telemetry),
});
