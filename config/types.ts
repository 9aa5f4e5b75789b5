import type { AttachmentLimits } from '../lib/attachments/types.ts';
import type { AwsCredentials } from '../lib/aws/credentials.ts';
import type { ServerOptions } from '../lib/db/dialects/server/options.ts';
import type { SqliteOptions } from '../lib/db/dialects/sqlite/options.ts';
import type { StatementLimits } from '../lib/json/limits.ts';
import type { LogLevel } from '../lib/logger.ts';
import type { ReactionSettings } from '../lib/reactions/types.ts';
import type { ShownSetting } from '../lib/settings/types.ts';
import type { WriteLimits } from '../lib/statements/write-limits.ts';
import type { TelemetrySecrets, TelemetrySettings } from '../lib/telemetry/types.ts';
import type { XapiVersion } from '../lib/xapi/types.ts';

/**
 * The checked configuration: every setting that has an effect in this release, by lrsql's groups and names. It holds no
 * secret, so it is safe to log. What each setting means stands in the schema (`config/schema/`) and, generated from it,
 * in `docs/configuration.md`.
 */
export interface Config {
  readonly database: DatabaseConfig;
  readonly lrs: LrsConfig;
  readonly webserver: WebserverConfig;
  readonly stores: StoresConfig;
  /** The store beside the default one that this is the configuration of; absent for the default one. */
  readonly store?: {
    readonly name: string;
    /** Whether an operator of the default store has made it read-only. */
    readonly isReadOnly: boolean;
  };
  readonly logger: { readonly logLevel: LogLevel };
  readonly telemetry: TelemetrySettings;
  /** All of it as the administration shows it. */
  readonly shown: readonly ShownSetting[];
}

/** What must never be printed. A secret that is not configured is absent. */
export interface Secrets extends TelemetrySecrets {
  readonly adminPassDefault?: string;
  /** Signs requests for the bucket of attachments. */
  readonly awsCredentials?: () => Promise<AwsCredentials>;
  readonly apiSecretDefault?: string;
  readonly credentialKey?: string;
  readonly dbPassword?: string;
  /** Only one that names a secret of AWS, until that is read. */
  readonly dbJdbcUrl?: string;
  /** Makes a token in place of the password for each connection. */
  readonly dbToken?: NonNullable<ServerOptions['dbToken']>;
  readonly jwtCommonSecret?: string;
  readonly keyPassword?: string;
  /** Further database servers for stores, by name: the databases beside which theirs are made. */
  readonly storeServers?: Readonly<Record<string, ServerOptions>>;
}

/** Where the database is; its password stands among the secrets. */
export type DatabaseConfig = SqliteOptions | Omit<ServerOptions, 'dbPassword' | 'dbToken'>;

export interface LrsConfig extends StatementLimits, WriteLimits, ReactionSettings, AttachmentLimits {
  readonly adminUserDefault?: string;
  readonly apiKeyDefault?: string;
  readonly stmtGetDefault: number;
  readonly accountMaxCount: number;
  readonly accountMaxKeyPairs: number;
  readonly stmtGetMax: number;
  /** Bytes. */
  readonly stmtGetMaxBytes: number;
  /** Rows of an export; below 1: no limit. */
  readonly stmtGetMaxCsv: number;
  readonly documentMaxBytes: number;
  readonly documentMaxMembers: number;
  readonly documentMaxIds: number;
  readonly documentMaxIdBytes: number;
  /** null: none; attachments lie in the database. */
  readonly attachmentBucket: string | null;
  readonly attachmentRegion: string;
  /** null: Amazon S3. */
  readonly attachmentEndpoint: string | null;
  /** Bytes. */
  readonly attachmentInlineBytes: number;
  readonly auditMergeSeconds: number;
  readonly feedBatchStatements: number;
  readonly feedBatchBytes: number;
  readonly feedLeaseSeconds: number;
  readonly feedWriteMilliseconds: number;
  /** File of the authority template; null: the built-in form. */
  readonly authorityTemplate: string | null;
  readonly authorityUrl: string;
  /** File of the template for OpenID tokens; null: the built-in form. */
  readonly oidcAuthorityTemplate: string | null;
  readonly oidcScopePrefix: string;
  readonly supportedVersions: readonly XapiVersion[];
  readonly enableStrictVersion: boolean;
  readonly readOnly: boolean;
}

export interface StoresConfig {
  readonly enableStores: boolean;
  /** `{name}.` and a host name; null: stores have no host names. */
  readonly storesHost: string | null;
  readonly storesMaxCount: number;
  readonly storesMaxOpen: number;
  /** Milliseconds. */
  readonly storesIdleTimeout: number;
  readonly storesPoolMaximumSize: number;
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
  /** Bytes, as in the next three. */
  readonly maxBodyBytes: number;
  readonly maxUnauthenticatedBodyBytes: number;
  readonly maxAdminBodyBytes: number;
  readonly maxBufferedBodyBytes: number;
  /** 0: no minimum. */
  readonly minBodyBytesPerSecond: number;
  /** 0: no limit, but that of the operating system. */
  readonly maxConnections: number;
  /** 0: no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Requests per second; 0: no limit. */
  readonly rateLimitPerKeyPair: number;
  readonly rateLimitPerAddress: number;
  readonly rateLimitBurstSeconds: number;
  /** This and the next two: milliseconds. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** 0: none. */
  readonly writeTimeout: number;
  /** Bytes. */
  readonly maxBufferedResponseBytes: number;
  readonly maxConcurrentExports: number;
  readonly authByCredId: boolean;
  readonly enableSni: boolean;
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
  /** The names of claims, and the role: none of them null when `jwtNoVal` is on. */
  readonly jwtNoValUname: string | null;
  readonly jwtNoValIssuer: string | null;
  readonly jwtNoValRoleKey: string | null;
  readonly jwtNoValRole: string | null;
  readonly jwtNoValLogoutUrl: string | null;
  /** null: no OpenID provider. */
  readonly oidcIssuer: string | null;
  /** null: any. */
  readonly oidcAudience: string | null;
  readonly oidcClientId: string | null;
  /** File of the template of the client's settings; null: the built-in form. */
  readonly oidcClientTemplate: string | null;
  readonly oidcVerifyRemoteIssuer: boolean;
  readonly oidcEnableLocalAdmin: boolean;
  readonly allowAllOrigins: boolean;
  /** null: the origins of the server itself. */
  readonly allowedOrigins: readonly string[] | null;
  readonly enableAdminDeleteActor: boolean;
  readonly enableAdminUi: boolean;
  readonly adminLanguage: string;
  readonly enableAdminStatus: boolean;
  readonly enableStmtHtml: boolean;
  /** null: no maintenance. */
  readonly maintenanceMessage: string | null;
  readonly enableClamav: boolean;
  readonly clamavHost: string;
  readonly clamavPort: number;
  /** Values of response headers, as in the next six; null: not sent. */
  readonly secHeadHsts: string | null;
  readonly secHeadFrame: string | null;
  readonly secHeadContentType: string | null;
  readonly secHeadXss: string | null;
  readonly secHeadDownload: string | null;
  readonly secHeadCrossDomain: string | null;
  readonly secHeadContent: string | null;
}
