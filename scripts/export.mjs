import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';
import { exportHelp, readExportArguments } from './transfer-arguments.mjs';

// `npm run export`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = commandLine(readExportArguments, exportHelp);
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/export.mjs');
