import { readFileSync } from 'node:fs';
import type { XapiVersion } from '../../lib/xapi/types.ts';

export interface Vector {
  readonly value: string;
  /** Why the value is on this list. */
  readonly reason: string;
  readonly version: XapiVersion;
}

const versions = ['1.0.3', '2.0.0'] as const;

/**
 * Reads `tests/vectors/<name>.txt`: one case a line, `value`, `reason` and, for a case of one version only, that version,
 * separated by tabs. A case without version is returned once for each.
 */
export function vectors(name: string): Vector[] {
  const text = readFileSync(new URL(`../vectors/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [value = '', reason = '', only] = line.split('\t');
      return versions
        .filter((version) => only === undefined || only === version)
        .map((version) => ({ value, reason, version }));
    });
}
