import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { ensureSqliteDriver, wantedDriver } from './sqlite-driver.mjs';
import { importHelp, readImportArguments } from './transfer-arguments.mjs';

// `npm run import`: makes what a fresh clone lacks, then the bundle takes over this process.
const given = commandLine((args) => readImportArguments(args, process.env), importHelp);
await ensureInstalled('to start');
const env = { ...process.env, ...given.settings };
// It locks its folder with SQLite, whatever it reads and writes.
await ensureSqliteDriver(wantedDriver(env));
const { build } = await import('./build.mjs');
await build();
await import('../dist/import.mjs');
