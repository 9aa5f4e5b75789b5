import { join } from 'node:path';

/** The bundle of a program of `scripts/`, which starts in a fifth of the time that its sources take. */
export const builtProgram = (name: string): string => join(import.meta.dirname, '../../dist', `${name}.mjs`);
