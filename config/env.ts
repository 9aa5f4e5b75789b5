import type { ConfigSource } from './sources.ts';

/** Where the running process takes its configuration from. The only place that reads the environment. */
export function processSource(): ConfigSource {
  return { env: process.env, cwd: process.cwd() };
}
