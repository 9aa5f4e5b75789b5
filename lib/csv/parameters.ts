import {
  readStatementParameters,
  type StatementSelection,
  statementParameterNames,
} from '../statements/parameters.ts';
import { defaultPaths, type PropertyPath, parsePropertyPaths } from './property-paths.ts';

/** What an export asks for. A filter's `limit` is that of the whole export. */
export interface ExportSelection {
  readonly statements: StatementSelection;
  readonly paths: readonly PropertyPath[];
}

const filterNames = new Set(statementParameterNames.map((name) => name.toLowerCase()));

/**
 * The parameters of an export: `property-paths` and those of the statement resource. Other names are ignored, as in
 * lrsql; one that differs in case only is meant for a filter and refused, lest the export hold more than was asked for.
 * @param maxRows the setting `lrs.stmtGetMaxCsv`; below 1 there is no limit.
 * @throws InvalidError
 */
export function readExportParameters(query: URLSearchParams, maxRows: number): ExportSelection {
  const paths = query.get('property-paths');
  const filters = [...query].filter(([name]) => filterNames.has(name.toLowerCase()));
  const most = maxRows < 1 ? Number.MAX_SAFE_INTEGER : maxRows;
  return {
    statements: readStatementParameters(new URLSearchParams(filters), {
      stmtGetDefault: most,
      stmtGetMax: most,
    }),
    paths: paths === null ? defaultPaths : parsePropertyPaths(paths),
  };
}
