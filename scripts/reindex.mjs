import { ensureInstalled } from './installed.mjs';
import { readArguments } from './serve-arguments.mjs';
import { ensureSqliteDriver, usesSqlite } from './sqlite-driver.mjs';

// `npm run reindex`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = readArguments(process.argv.slice(2));
await ensureInstalled('to start');
if (usesSqlite({ ...process.env, ...settings })) await ensureSqliteDriver();
const { build } = await import('./build.mjs');
await build();
await import('../dist/reindex.mjs');
