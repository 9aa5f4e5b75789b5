import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';
import { readStoreArguments, storeUsage } from './store-arguments.mjs';

// `npm run store`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = commandLine(readStoreArguments, storeUsage);
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/store.mjs');
