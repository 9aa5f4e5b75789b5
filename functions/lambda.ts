import { loadConfig } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { forLambda } from '../lib/http/gateways/lambda-result.ts';
import { type StreamingRuntime, streamed } from '../lib/http/gateways/lambda-stream.ts';
import { createLogger } from '../lib/logger.ts';
import { type Lrs, openLrs } from '../lib/lrs.ts';
import { createHandlers } from './index.ts';
import type { Handlers } from './router.ts';

/** The entry that `serverless.yml` names: one export per function, over one LRS per process. */

let opening: Promise<Lrs> | undefined;

/** An LRS that could not be opened is tried again by the next call. */
function open(): Promise<Lrs> {
  opening ??= openConfigured().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function openConfigured(): Promise<Lrs> {
  const { config, secrets, warnings } = loadConfig(processSource());
  const logger = createLogger(config.logger.logLevel);
  for (const warning of warnings) logger.warn(warning);
  return openLrs(config, secrets, logger);
}

const handlers = createHandlers(open);

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
