import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { readDatabaseArguments, reindexUsage } from './serve-arguments.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';

// `npm run reindex`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = commandLine((args) => readDatabaseArguments(args, reindexUsage), reindexUsage);
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/reindex.mjs');
