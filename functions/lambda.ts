import { loadConfig } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { createLogger } from '../lib/logger.ts';
import { type Lrs, openLrs } from '../lib/lrs.ts';
import { createHandlers } from './index.ts';

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
  createAccount,
  listAccounts,
  deleteAccount,
  createCredential,
  updateCredential,
  listCredentials,
  deleteCredential,
  getEnv,
  getHealth,
  preflight,
  unrouted,
} = createHandlers(open);
