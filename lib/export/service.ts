import type { Database } from '../db/types.ts';
import type { ExportSources } from './json-export.ts';
import type { ExportService } from './types.ts';

/** Exports as JSON. What makes them is loaded with the first one, because most functions never do. */
export function createExportService(db: Database, sources: ExportSources): ExportService {
  return {
    open: async (selection, languages) => {
      const { openJsonExport } = await import('./json-export.ts');
      return openJsonExport(db, sources, selection, languages);
    },
    expectedSize: async (selection) => {
      const { expectedSize } = await import('./size.ts');
      return expectedSize(sources.statements, sources.status, selection);
    },
  };
}
