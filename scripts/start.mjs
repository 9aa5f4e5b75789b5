import { commandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { readArguments, serveUsage } from './serve-arguments.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';

// `npm start`: everything that a fresh clone lacks is made here, then the server takes over this process.
const { settings } = commandLine(readArguments, serveUsage);
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/serve.mjs');

// A signal to npm ends npm and its shell without reaching this process; losing its parent then is the signal.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
