import type { Activity } from './types.ts';

/** The activities of one role of `contextActivities`, which may be a single one, a list or missing (xAPI 1.0.3 Data 2.4.6.2). */
export function activitiesOf(role: Activity | readonly Activity[] | undefined): readonly Activity[] {
  if (role === undefined) return [];
  return isList(role) ? role : [role];
}

/** `Array.isArray` that also knows lists which must not be changed. */
function isList(role: Activity | readonly Activity[]): role is readonly Activity[] {
  return Array.isArray(role);
}
