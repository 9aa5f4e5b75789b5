import { activitiesOf } from '../activity.ts';
import {
  type Activity,
  type Context,
  type ContextActivities,
  type ContextActivityRole,
  contextActivityRoles,
  type Statement,
} from '../types.ts';

/**
 * The statement with every single context activity turned into a list of one, in its SubStatement too: the only change that
 * the form of what a client sent must undergo (xAPI 1.0.3 Data 2.4.6.2). Gives the same object when nothing is to change.
 */
export function normalise(statement: Statement): Statement {
  const normal = withActivityLists(statement);
  const { object } = normal;
  if (object.objectType !== 'SubStatement') return normal;
  const normalObject = withActivityLists(object);
  return normalObject === object ? normal : { ...normal, object: normalObject };
}

function withActivityLists<T extends { readonly context?: Context }>(owner: T): T {
  const contextActivities = owner.context?.contextActivities;
  if (contextActivities === undefined) return owner;
  if (contextActivityRoles.every((role) => isAbsentOrList(contextActivities[role]))) return owner;
  return { ...owner, context: { ...owner.context, contextActivities: toLists(contextActivities) } };
}

function toLists(contextActivities: ContextActivities): ContextActivities {
  const lists: Partial<Record<ContextActivityRole, readonly Activity[]>> = {};
  for (const role of contextActivityRoles) {
    if (contextActivities[role] !== undefined) lists[role] = activitiesOf(contextActivities[role]);
  }
  return lists;
}

function isAbsentOrList(role: Activity | readonly Activity[] | undefined): boolean {
  return role === undefined || Array.isArray(role);
}
