import type { Scope } from '../../../../lib/xapi/scopes.ts';

/** Sets of scopes that many programs need; the first is what a new key pair starts with. */
export const presets = {
  sendAndRead: ['statements/write', 'statements/read'],
  courses: ['statements/write', 'statements/read', 'state', 'profile'],
  readAll: ['all/read'],
  everything: ['all'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;
