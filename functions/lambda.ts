import { type LoadedConfig, loadConfig } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { forLambda } from '../lib/http/gateways/lambda-result.ts';
import { type StreamingRuntime, streamed } from '../lib/http/gateways/lambda-stream.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import { type ConfiguredLrs, type Lrs, openLrs } from '../lib/lrs.ts';
import { createHandlers } from './index.ts';
import type { Handlers } from './router.ts';

/** The entry that `serverless.yml` names: one export per function, over one LRS per process. */

interface Configured {
  readonly loaded: LoadedConfig;
  readonly logger: Logger;
}

let configuration: Configured | undefined;
let opening: Promise<Lrs> | undefined;
let opened: Lrs | undefined;

/** Reads the configuration, once. @throws ConfigError */
function configure(): Configured {
  if (configuration === undefined) {
    const loaded = loadConfig(processSource());
    const logger = createLogger(loaded.config.logger.logLevel);
    for (const warning of loaded.warnings) logger.warn(warning);
    configuration = { loaded, logger };
  }
  return configuration;
}

async function configured(): Promise<ConfiguredLrs> {
  const { loaded, logger } = configure();
  const knownConsistentThrough = (): number => opened?.knownConsistentThrough() ?? 0;
  return { config: loaded.config, logger, knownConsistentThrough };
}

/** An LRS that could not be opened is tried again by the next call. */
function open(): Promise<Lrs> {
  opening ??= openConfigured().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function openConfigured(): Promise<Lrs> {
  const { loaded, logger } = configure();
  opened = await openLrs(loaded.config, loaded.secrets, logger);
  return opened;
}

const handlers = createHandlers(open, { configured });

/** The same handlers under the same names. */
function onLambda(plain: Handlers): Handlers {
  const entries = Object.entries(plain).map(([name, handler]) => [name, forLambda(handler)]);
  // `Object.entries` forgets that every name is there.
  return Object.fromEntries(entries);
}

export const {
  getStatements,
  putStatement,
  postStatements,
  getState,
  putState,
  postState,
  deleteState,
  getAgentProfile,
  putAgentProfile,
  postAgentProfile,
  deleteAgentProfile,
  getActivityProfile,
  putActivityProfile,
  postActivityProfile,
  deleteActivityProfile,
  getPerson,
  getActivity,
  getAbout,
  login,
  logout,
  renewToken,
  createAccount,
  listAccounts,
  deleteAccount,
  changePassword,
  getMe,
  verifyLogin,
  createCredential,
  updateCredential,
  listCredentials,
  deleteCredential,
  listAuditEvents,
  authoriseCsv,
  getCsv,
  getStatus,
  getSettings,
  listAgents,
  deleteActor,
  listActivities,
  listDocuments,
  reactions,
  getOpenApi,
  getEnv,
  getScreen,
  getScreenFile,
  findScreen,
  getHealth,
  getReadiness,
  preflight,
  unrouted,
} = onLambda(handlers);

// The types of Lambda say that its runtime is always there.
const { awslambda } = globalThis as unknown as { awslambda?: StreamingRuntime };

/** The export of statements at a function URL. */
export const streamCsv = streamed(handlers.getCsv, awslambda);
