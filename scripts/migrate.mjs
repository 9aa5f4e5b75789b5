import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { migrateUsage, readDatabaseArguments } from './serve-arguments.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';

// `npm run migrate`: everything that a fresh clone lacks is made here, then the bundle takes over this process.
const { settings } = commandLine((args) => readDatabaseArguments(args, migrateUsage), migrateUsage);
await ensureInstalled('to migrate');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/migrate.mjs');
