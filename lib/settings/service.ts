import type { Database } from '../db/types.ts';
import type { XapiVersion } from '../xapi/types.ts';
import { readServer } from './reader.ts';
import type { SettingsService, ShownSetting } from './types.ts';

export interface SettingsOptions {
  readonly settings: readonly ShownSetting[];
  readonly supportedVersions: readonly XapiVersion[];
}

/** Counts as started with this call. */
export function createSettingsService(
  db: Database,
  { settings, supportedVersions }: SettingsOptions,
): SettingsService {
  const started = new Date().toISOString();
  return {
    describe: async () => ({
      node: process.versions.node,
      started,
      'supported-versions': supportedVersions,
      database: { engine: db.dialect.name, ...(await db.read(readServer)) },
      settings,
    }),
  };
}
