import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Arguments of `node` that let it run TypeScript. */
export const typescript: readonly string[] = ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs')];

/** The server that `npm run build` made. */
export const builtServer: readonly string[] = [join(root, 'dist/serve.mjs')];

/** The same from its sources. */
export const sourceServer: readonly string[] = [...typescript, join(root, 'scripts/serve.ts')];
