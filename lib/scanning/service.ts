import { ClamdScanner } from './clamd.ts';
import type { ContentScanner } from './types.ts';

/** The settings of the group `webserver` by their names. */
export interface ScannerSettings {
  readonly enableClamav: boolean;
  readonly clamavHost: string;
  readonly clamavPort: number;
  readonly maxBufferedBodyBytes: number;
}

/** @returns undefined where nothing is to be scanned. */
export function createScanner(settings: ScannerSettings): ContentScanner | undefined {
  const { enableClamav, clamavHost: host, clamavPort: port, maxBufferedBodyBytes } = settings;
  // The bodies that hold the contents leave as much memory to requests of which nothing is scanned.
  return enableClamav ? new ClamdScanner({ host, port, mostBytes: maxBufferedBodyBytes / 2 }) : undefined;
}
