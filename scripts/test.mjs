import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './installed.mjs';
import { ensureSqliteDriver } from './sqlite-driver.mjs';

// `npm test`: installs what a fresh clone lacks, then runs Vitest; further arguments go to it.
await ensureInstalled('to develop');
await ensureSqliteDriver(process.env.LRS_TEST_SQLITE_DRIVER);
const { build } = await import('./build.mjs');
await build();
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
