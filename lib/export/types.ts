import type { ExportText } from '../csv/export.ts';
import type { StatementSelection } from '../statements/parameters.ts';
import type { JsonExportSelection } from './parameters.ts';
import type { ExpectedSize } from './size.ts';

/** Exports as JSON. */
export interface ExportService {
  /**
   * Begins an export, which is made as it is taken.
   * @param languages those wanted in `format=canonical`, best first.
   */
  open(selection: JsonExportSelection, languages: readonly string[]): Promise<ExportText>;
  expectedSize(selection: StatementSelection): Promise<ExpectedSize>;
}
