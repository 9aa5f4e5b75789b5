import { ensureInstalled } from './installed.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';
import { readStoreArguments } from './store-arguments.mjs';

// `npm run store`: makes what a fresh clone lacks, then the bundle takes over this process.
const { settings } = checkedArguments();
await ensureInstalled('to start');
await ensureDriverFor({ ...process.env, ...settings });
const { build } = await import('./build.mjs');
await build();
await import('../dist/store.mjs');

/** A mistake is reported before the minutes that an installation may take. */
function checkedArguments() {
  try {
    return readStoreArguments(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
