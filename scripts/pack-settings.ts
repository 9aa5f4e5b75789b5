import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { packagedConfig } from '../config/packing.ts';

/* Checks the settings of a deployment and writes what functions take them from, so that they load nothing to check them. */

const file = join(import.meta.dirname, 'settings.json');
try {
  rmSync(file, { force: true });
  const packaged = packagedConfig(processSource());
  if (packaged !== undefined) writeFileSync(file, JSON.stringify(packaged));
} catch (error) {
  for (const line of error instanceof ConfigError ? error.problems : [String(error)]) console.error(line);
  process.exitCode = 1;
}
