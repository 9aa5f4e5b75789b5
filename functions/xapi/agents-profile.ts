import type { Handler, Open } from '../../lib/http/handler.ts';
import { documentHandler } from './documents.ts';

type Name = 'getAgentProfile' | 'putAgentProfile' | 'postAgentProfile' | 'deleteAgentProfile';

/** The Agent Profile resource (xAPI 1.0.3 Communication 2.6). */
export function agentProfileHandlers(open: Open): Record<Name, Handler> {
  const handler = documentHandler(open, 'agents/profile');
  return {
    getAgentProfile: handler,
    putAgentProfile: handler,
    postAgentProfile: handler,
    deleteAgentProfile: handler,
  };
}
