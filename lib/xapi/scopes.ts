/** The scopes of a credential pair: what its bearer may do under the xAPI prefix. */

export const scopes = [
  'all',
  'all/read',
  'statements/read',
  'statements/read/mine',
  'statements/write',
  'state',
  'state/read',
  'activities_profile',
  'activities_profile/read',
  'agents_profile',
  'agents_profile/read',
  'profile',
] as const;

export type Scope = (typeof scopes)[number];

/** The resources that scopes speak of. */
export type ScopedResource =
  | 'statements'
  | 'agents'
  | 'activities'
  | 'activities/state'
  | 'activities/profile'
  | 'agents/profile';

const reads: Readonly<Record<ScopedResource, readonly Scope[]>> = {
  statements: ['statements/read', 'statements/read/mine'],
  agents: ['statements/read', 'statements/read/mine'],
  activities: ['statements/read', 'statements/read/mine'],
  'activities/state': ['state', 'state/read'],
  'activities/profile': ['activities_profile', 'activities_profile/read', 'profile'],
  'agents/profile': ['agents_profile', 'agents_profile/read', 'profile'],
};

const writes: Readonly<Record<ScopedResource, readonly Scope[]>> = {
  statements: ['statements/write'],
  agents: [],
  activities: [],
  'activities/state': ['state'],
  'activities/profile': ['activities_profile', 'profile'],
  'agents/profile': ['agents_profile', 'profile'],
};

/** Whether the scopes permit reading or writing the resource; an empty list permits nothing. */
export function permits(held: readonly Scope[], resource: ScopedResource, access: 'read' | 'write'): boolean {
  if (held.includes('all')) return true;
  if (access === 'read')
    return held.includes('all/read') || held.some((scope) => reads[resource].includes(scope));
  return held.some((scope) => writes[resource].includes(scope));
}

/** Whether statement reads are confined to the bearer's own: true when `statements/read/mine` is the widest read scope held. */
export function readsOnlyOwnStatements(held: readonly Scope[]): boolean {
  return (
    held.includes('statements/read/mine') &&
    !held.some((scope) => scope === 'all' || scope === 'all/read' || scope === 'statements/read')
  );
}
