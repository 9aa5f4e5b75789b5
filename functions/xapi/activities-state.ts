import type { Handler, Open } from '../../lib/http/door.ts';
import { documentDoor } from './documents.ts';

type Name = 'getState' | 'putState' | 'postState' | 'deleteState';

/** The State resource (xAPI 1.0.3 Communication 2.3). */
export function stateDoors(open: Open): Record<Name, Handler> {
  const door = documentDoor(open, 'activities/state');
  return { getState: door, putState: door, postState: door, deleteState: door };
}
