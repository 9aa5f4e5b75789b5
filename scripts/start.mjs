import { ensureInstalled } from './installed.mjs';

// `npm start`: everything that a fresh clone lacks is made here, then the server takes over this process.
ensureInstalled();
const { build } = await import('./build.mjs');
await build();
await import('../dist/serve.mjs');
