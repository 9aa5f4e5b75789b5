import { ensureInstalled } from './installed.mjs';
import { readArguments } from './serve-arguments.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';

// `npm run migrate`: everything that a fresh clone lacks is made here, then the bundle takes over this process.
const { settings } = readArguments(process.argv.slice(2));
await ensureInstalled('to migrate');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/migrate.mjs');
