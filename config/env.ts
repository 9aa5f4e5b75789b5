import type { ConfigSource } from './sources.ts';

/**
 * Where the running process takes its configuration from. The only place that reads the environment.
 * @param database what the option `--db` of its command line stands for.
 */
export function processSource(database: ConfigSource['database'] = {}): ConfigSource {
  return { env: process.env, cwd: process.cwd(), database };
}
