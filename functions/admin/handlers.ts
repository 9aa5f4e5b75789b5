import type { Open } from '../../lib/http/handler.ts';
import { accountHandlers } from './account.ts';
import { activityListHandlers } from './activities.ts';
import { agentListHandlers, erasureHandlers } from './agents.ts';
import { auditHandlers } from './audit.ts';
import { credentialHandlers } from './creds.ts';
import { csvHandlers } from './csv.ts';
import { documentListHandlers } from './documents.ts';
import { envHandlers } from './env.ts';
import { exportHandlers } from './export.ts';
import { openApiHandlers } from './openapi.ts';
import { reactionHandlers } from './reactions.ts';
import { settingsHandlers } from './settings.ts';
import { statusHandlers } from './status.ts';
import { storeHandlers } from './stores.ts';

/** Everything below `/admin` but the screen. */
export const administrationHandlers = (open: Open) => ({
  ...accountHandlers(open),
  ...credentialHandlers(open),
  ...auditHandlers(open),
  ...csvHandlers(open),
  ...exportHandlers(open),
  ...statusHandlers(open),
  ...settingsHandlers(open),
  ...agentListHandlers(open),
  ...erasureHandlers(open),
  ...activityListHandlers(open),
  ...documentListHandlers(open),
  ...reactionHandlers(open),
  ...storeHandlers(open),
  ...openApiHandlers(open),
  ...envHandlers(open),
});
