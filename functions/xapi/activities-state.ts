import type { Handler, Open } from '../../lib/http/handler.ts';
import { documentHandler } from './documents.ts';

type Name = 'getState' | 'putState' | 'postState' | 'deleteState';

/** The State resource (xAPI 1.0.3 Communication 2.3). */
export function stateHandlers(open: Open): Record<Name, Handler> {
  const handler = documentHandler(open, 'activities/state');
  return { getState: handler, putState: handler, postState: handler, deleteState: handler };
}
