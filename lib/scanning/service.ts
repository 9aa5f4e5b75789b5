import { ClamdScanner } from './clamd.ts';
import type { ContentScanner } from './types.ts';

/** The settings of the group `webserver` by their names. */
export interface ScannerSettings {
  readonly enableClamav: boolean;
  readonly clamavHost: string;
  readonly clamavPort: number;
}

/** @returns undefined where nothing is to be scanned. */
export function createScanner(settings: ScannerSettings): ContentScanner | undefined {
  const { enableClamav, clamavHost: host, clamavPort: port } = settings;
  return enableClamav ? new ClamdScanner({ host, port }) : undefined;
}
