import type { Handler, Open } from '../../lib/http/door.ts';
import { documentDoor } from './documents.ts';

type Name = 'getAgentProfile' | 'putAgentProfile' | 'postAgentProfile' | 'deleteAgentProfile';

/** The Agent Profile resource (xAPI 1.0.3 Communication 2.6). */
export function agentProfileDoors(open: Open): Record<Name, Handler> {
  const door = documentDoor(open, 'agents/profile');
  return { getAgentProfile: door, putAgentProfile: door, postAgentProfile: door, deleteAgentProfile: door };
}
