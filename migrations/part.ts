import type { MigrationContext } from '../lib/db/migrate.ts';

/** A part of a step that is too long for one file. */
export interface MigrationPart {
  /** The tables that it creates. */
  readonly tables: readonly string[];
  create(context: MigrationContext): Promise<void>;
}
