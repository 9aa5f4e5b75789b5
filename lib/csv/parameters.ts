import { InvalidError } from '../errors.ts';
import { singleParameters } from '../parameters.ts';
import {
  readStatementParameters,
  type StatementSelection,
  statementParameterNames,
} from '../statements/parameters.ts';
import { languageRanges, lookupRanges } from '../xapi/language.ts';
import { defaultPaths, type PropertyPath, parsePropertyPaths } from './property-paths.ts';

/** What an export asks for. A filter's `limit` is that of the whole export. */
export interface ExportSelection {
  readonly statements: StatementSelection;
  readonly paths: readonly PropertyPath[];
  /** The languages of texts, best first (`languageRanges`); undefined: language maps stay JSON. */
  readonly languages: readonly string[] | undefined;
}

/** Rows of a preview. */
export const previewRows = 10;

/** Whether only the first rows are asked for, to be looked at. */
export function asksForPreview(query: URLSearchParams): boolean {
  return query.get('preview') === 'true';
}

interface ExportDefaults {
  /** The setting `lrs.stmtGetMaxCsv`; below 1 there is no limit. */
  readonly maxRows: number;
  /** The header of that name. */
  readonly acceptLanguage: string | undefined;
}

/** `token` authenticates the download (`authenticateDownload`). */
const exportNames = ['token', 'property-paths', 'language', 'preview'];
const knownNames = [...exportNames, ...statementParameterNames];

/**
 * The parameters of an export: `property-paths`, `language`, `preview` and those of the statement resource. Unlike lrsql,
 * unknown names are refused: with a misspelt filter the export would hold more than was asked for.
 * @throws InvalidError
 */
export function readExportParameters(query: URLSearchParams, defaults: ExportDefaults): ExportSelection {
  const { 'property-paths': paths, language, preview } = singleParameters(query, knownNames);
  requireBoolean('preview', preview);
  const filters = [...query].filter(([name]) => !exportNames.includes(name));
  const most = defaults.maxRows < 1 ? Number.MAX_SAFE_INTEGER : defaults.maxRows;
  const statements = readStatementParameters(new URLSearchParams(filters), {
    stmtGetDefault: most,
    stmtGetMax: most,
  });
  return {
    statements: asksForPreview(query) ? shortened(statements) : statements,
    paths: paths === undefined ? defaultPaths : parsePropertyPaths(paths),
    languages:
      requestedLanguages(language) ??
      (paths === undefined ? languageRanges(defaults.acceptLanguage) : undefined),
  };
}

function requireBoolean(name: string, value: string | undefined): void {
  if (value === undefined || value === 'true' || value === 'false') return;
  const message = 'must be true or false';
  throw new InvalidError(`${name} ${message}.`, { details: [{ path: name, message }] });
}

function shortened(selection: StatementSelection): StatementSelection {
  if ('id' in selection) return selection;
  const { filter } = selection;
  return { ...selection, filter: { ...filter, limit: Math.min(filter.limit, previewRows) } };
}

function requestedLanguages(language: string | undefined): string[] | undefined {
  if (language === undefined) return undefined;
  const ranges = languageRanges(language);
  if (ranges.length > 0) return lookupRanges(ranges);
  const message = 'must be a language range or several, best first, such as de-CH,en';
  throw new InvalidError(`language ${message} (RFC 4647).`, {
    details: [{ path: 'language', message, section: 'RFC 4647' }],
  });
}
