import type { Handler, Open } from '../../lib/http/door.ts';
import { documentDoor } from './documents.ts';

type Name = 'getActivityProfile' | 'putActivityProfile' | 'postActivityProfile' | 'deleteActivityProfile';

/** The Activity Profile resource (xAPI 1.0.3 Communication 2.7). */
export function activityProfileDoors(open: Open): Record<Name, Handler> {
  const door = documentDoor(open, 'activities/profile');
  return {
    getActivityProfile: door,
    putActivityProfile: door,
    postActivityProfile: door,
    deleteActivityProfile: door,
  };
}
