import { backupUsage, readBackupArguments } from './backup-arguments.mjs';
import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';

// `npm run backup` and `npm run restore`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = commandLine(readBackupArguments, backupUsage);
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/backup.mjs');
