import { healthHandlers } from '../ops/health.ts';
import { metricsHandlers } from '../ops/metrics.ts';
import { findScreenHandlers } from '../web/find-screen.ts';
import { screenHandlers } from '../web/screen.ts';
import { aboutHandlers } from '../xapi/about.ts';
import { groupHandler } from './group.ts';
import { configured, open } from './runtime.ts';

/** What needs no database, and unknown paths. `/health/ready` opens it when it is asked for. */
export const endpoints = {
  ...aboutHandlers(configured),
  ...screenHandlers({ open, configured }),
  ...findScreenHandlers(configured),
  ...healthHandlers(open, configured),
  ...metricsHandlers(configured),
};
export const handler = groupHandler(endpoints);
