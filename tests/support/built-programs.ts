import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { builtBundles } from './built-screen.ts';

beforeAll(builtBundles);

/** The bundle of a program of `scripts/`, which starts in a fifth of the time that its sources take. */
export const builtProgram = (name: string): string => join(import.meta.dirname, '../../dist', `${name}.mjs`);
