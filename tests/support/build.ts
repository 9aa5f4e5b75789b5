import { build } from '../../scripts/build.mjs';

/** Vitest's global setup: makes sure that `dist/` is built of the sources as they are now; when it is, that takes no time. */
export const setup = (): Promise<void> => build();
