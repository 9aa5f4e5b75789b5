import { loadConfig } from '../../config/config.ts';
import { createLimits, type Limits } from '../../lib/adapter/limits.ts';

/** The limits of a server with these settings, and the defaults of all others. */
export function limitsWith(env: Readonly<Record<string, string>> = {}): Limits {
  return createLimits(loadConfig({ env, cwd: import.meta.dirname }).config.webserver);
}
