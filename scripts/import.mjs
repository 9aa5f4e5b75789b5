import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';
import { importUsage, readImportArguments } from './transfer-arguments.mjs';

// `npm run import`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = commandLine((args) => readImportArguments(args, process.env), importUsage);
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/import.mjs');
