import type { Open, OpenConfigured } from '../lib/http/door.ts';
import { accountDoors } from './admin/account.ts';
import { activityListDoors } from './admin/activities.ts';
import { agentListDoors, erasureDoors } from './admin/agents.ts';
import { auditDoors } from './admin/audit.ts';
import { credentialDoors } from './admin/creds.ts';
import { csvDoors } from './admin/csv.ts';
import { documentListDoors } from './admin/documents.ts';
import { envDoors } from './admin/env.ts';
import { openApiDoors } from './admin/openapi.ts';
import { reactionDoors } from './admin/reactions.ts';
import { settingsDoors } from './admin/settings.ts';
import { statusDoors } from './admin/status.ts';
import { healthDoors } from './ops/health.ts';
import { preflightDoors } from './ops/preflight.ts';
import { unroutedDoors } from './ops/unrouted.ts';
import type { Handlers } from './router.ts';
import { screenDoors } from './web/screen.ts';
import { aboutDoors } from './xapi/about.ts';
import { activityDoors } from './xapi/activities.ts';
import { activityProfileDoors } from './xapi/activities-profile.ts';
import { stateDoors } from './xapi/activities-state.ts';
import { agentDoors } from './xapi/agents.ts';
import { agentProfileDoors } from './xapi/agents-profile.ts';
import { statementDoors } from './xapi/statements.ts';

export interface HandlerOptions {
  /** Gives what needs no database; without it, everything waits until the LRS is open. */
  readonly configured?: OpenConfigured;
  /** The folder of the built screen, if it is another than that of `npm run build`. */
  readonly screen?: string;
}

/** The handlers over an LRS that is opened by the first call which needs it. */
export function createHandlers(
  open: Open,
  { configured = open, screen: folder }: HandlerOptions = {},
): Handlers {
  return {
    ...statementDoors(open),
    ...stateDoors(open),
    ...agentProfileDoors(open),
    ...activityProfileDoors(open),
    ...agentDoors(open),
    ...activityDoors(open),
    ...aboutDoors(configured),
    ...accountDoors(open),
    ...credentialDoors(open),
    ...auditDoors(open),
    ...csvDoors(open),
    ...statusDoors(open),
    ...settingsDoors(open),
    ...agentListDoors(open),
    ...erasureDoors(open),
    ...activityListDoors(open),
    ...documentListDoors(open),
    ...reactionDoors(open),
    ...openApiDoors(open),
    ...envDoors(open),
    ...screenDoors({ open, configured, folder }),
    ...healthDoors(open, configured),
    ...preflightDoors(configured),
    ...unroutedDoors(configured),
  };
}
