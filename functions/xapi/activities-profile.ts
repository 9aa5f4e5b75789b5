import type { Handler, Open } from '../../lib/http/handler.ts';
import { documentHandler } from './documents.ts';

type Name = 'getActivityProfile' | 'putActivityProfile' | 'postActivityProfile' | 'deleteActivityProfile';

/** The Activity Profile resource (xAPI 1.0.3 Communication 2.7). */
export function activityProfileHandlers(open: Open): Record<Name, Handler> {
  const handler = documentHandler(open, 'activities/profile');
  return {
    getActivityProfile: handler,
    putActivityProfile: handler,
    postActivityProfile: handler,
    deleteActivityProfile: handler,
  };
}
