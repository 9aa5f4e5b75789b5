import { type Activity, type ActivityDefinition, interactionComponentLists } from './types.ts';

/** The activities of one role of `contextActivities`, which may be a single one, a list or missing (xAPI 1.0.3 Data 2.4.6.2). */
export function activitiesOf(role: Activity | readonly Activity[] | undefined): readonly Activity[] {
  if (role === undefined) return [];
  return isList(role) ? role : [role];
}

/** `Array.isArray` that also knows lists which must not be changed. */
function isList(role: Activity | readonly Activity[]): role is readonly Activity[] {
  return Array.isArray(role);
}

const interactionMembers = [
  'interactionType',
  'correctResponsesPattern',
  ...interactionComponentLists,
] as const;

/**
 * All that two definitions of one Activity say (xAPI 1.0.3 Data 2.4.4.1, Communication 2.5). The newer one counts wherever
 * both say something: for each language of `name` and `description`, each key of `extensions`, and each other member. What
 * describes an interaction belongs together: if the newer one has any of it, all of the older one's is gone.
 */
export function mergeDefinitions(older: ActivityDefinition, newer: ActivityDefinition): ActivityDefinition {
  return mergeAllDefinitions([older, newer]);
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

/**
 * The same for any number of definitions, the oldest first. What they say is copied once, however many there are: a request
 * may define one Activity ten thousand times.
 */
export function mergeAllDefinitions(definitions: Iterable<ActivityDefinition>): ActivityDefinition {
  const merged: Mutable<ActivityDefinition> = {};
  for (const definition of definitions) {
    if (interactionMembers.some((member) => definition[member] !== undefined)) {
      for (const member of interactionMembers) delete merged[member];
    }
    const { name = {}, description = {}, extensions = {} } = merged;
    setMembers(merged, definition);
    if (definition.name) merged.name = setMembers(name, definition.name);
    if (definition.description) merged.description = setMembers(description, definition.description);
    if (definition.extensions) merged.extensions = setMembers(extensions, definition.extensions);
  }
  return merged;
}

/** Gives the target all members of the source, as members of its own: `Object.assign` takes `__proto__` for its prototype. */
function setMembers<Target extends object>(target: Target, source: Target): Target {
  if (!Object.hasOwn(source, '__proto__')) return Object.assign(target, source);
  for (const [name, value] of Object.entries(source)) {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return target;
}
