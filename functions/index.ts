import type { Open, OpenConfigured } from '../lib/http/handler.ts';
import { administrationHandlers } from './admin/handlers.ts';
import { healthHandlers } from './ops/health.ts';
import { metricsHandlers } from './ops/metrics.ts';
import { preflightHandlers } from './ops/preflight.ts';
import { unroutedHandlers } from './ops/unrouted.ts';
import type { Handlers } from './router.ts';
import { findScreenHandlers } from './web/find-screen.ts';
import { screenHandlers } from './web/screen.ts';
import { aboutHandlers } from './xapi/about.ts';
import { activityHandlers } from './xapi/activities.ts';
import { activityProfileHandlers } from './xapi/activities-profile.ts';
import { stateHandlers } from './xapi/activities-state.ts';
import { agentHandlers } from './xapi/agents.ts';
import { agentProfileHandlers } from './xapi/agents-profile.ts';
import { attachmentHandlers } from './xapi/attachments.ts';
import { statementHandlers } from './xapi/statements.ts';

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
    ...statementHandlers(open),
    ...stateHandlers(open),
    ...agentProfileHandlers(open),
    ...activityProfileHandlers(open),
    ...agentHandlers(open),
    ...activityHandlers(open),
    ...attachmentHandlers(open),
    ...aboutHandlers(configured),
    ...administrationHandlers(open),
    ...screenHandlers({ open, configured, folder }),
    ...findScreenHandlers(configured),
    ...healthHandlers(open, configured),
    ...metricsHandlers(configured),
    ...preflightHandlers(configured),
    ...unroutedHandlers(configured),
  };
}
