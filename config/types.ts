import type { XapiVersion } from '../lib/xapi/types.ts';

/**
 * The checked configuration: every setting that has an effect in this release, by lrsql's groups and names. It holds no
 * secret, so it is safe to log. What each setting means stands in the schema (`config/schema/`) and, generated from it,
 * in `docs/configuration.md`.
 */
export interface Config {
  readonly database: DatabaseConfig;
  readonly tuning: { readonly enableJsonb: boolean };
  readonly lrs: LrsConfig;
  readonly webserver: WebserverConfig;
  readonly logger: { readonly logLevel: LogLevel };
}

/** What must never be printed. A secret that is not configured is absent. */
export interface Secrets {
  readonly adminPassDefault?: string;
  readonly apiSecretDefault?: string;
  readonly credentialKey?: string;
  readonly jwtCommonSecret?: string;
  readonly keyPassword?: string;
}

export const logLevels = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface DatabaseConfig {
  readonly dbType: 'sqlite';
  /** A file, relative to the working directory, or `:memory:`. */
  readonly dbName: string;
}

export interface LrsConfig {
  readonly adminUserDefault?: string;
  readonly apiKeyDefault?: string;
  readonly stmtGetDefault: number;
  readonly stmtGetMax: number;
  /** Bytes. */
  readonly stmtGetMaxBytes: number;
  /** File of the authority template; null: the built-in form. */
  readonly authorityTemplate: string | null;
  readonly authorityUrl: string;
  readonly enableReactions: boolean;
  readonly reactionVersion: XapiVersion;
  readonly supportedVersions: readonly XapiVersion[];
}

export interface WebserverConfig {
  readonly enableHttp: boolean;
  readonly httpHost: string;
  readonly httpPort: number;
  readonly sslPort: number;
  /** Starts with a slash, ends without one. */
  readonly urlPrefix: string;
  readonly proxyPath: string | null;
  readonly trustProxy: boolean;
  /** Bytes. */
  readonly maxBodyBytes: number;
  readonly authByCredId: boolean;
  readonly keyPkeyFile: string;
  readonly keyCertChain: readonly string[];
  readonly keyEnableSelfie: boolean;
  /** This and the other times of tokens: seconds. */
  readonly jwtExpTime: number;
  readonly jwtExpLeeway: number;
  readonly jwtRefreshExpTime: number;
  readonly jwtRefreshInterval: number;
  readonly jwtInteractionWindow: number;
  readonly jwtNoVal: boolean;
  readonly allowAllOrigins: boolean;
  /** null: the origins of the server itself. */
  readonly allowedOrigins: readonly string[] | null;
  readonly enableAdminDeleteActor: boolean;
  readonly enableAdminUi: boolean;
  readonly adminLanguage: string;
  readonly enableAdminStatus: boolean;
  readonly enableStmtHtml: boolean;
}
