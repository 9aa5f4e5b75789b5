import { administrationHandlers } from '../admin/handlers.ts';
import { findScreenHandlers } from '../web/find-screen.ts';
import { groupHandler } from './group.ts';
import { configured, open, openNow } from './runtime.ts';

const { findScreen } = findScreenHandlers(configured);

/** Everything below `/admin` but the screen. The path `/admin/` may come here or to the screen, as the gateway reads its routes. */
export const endpoints = { ...administrationHandlers(open), findScreen };
export const handler = groupHandler(endpoints);

await openNow();
