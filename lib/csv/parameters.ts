import { InvalidError } from '../errors.ts';
import { adminParameters } from '../single-parameters.ts';
import {
  readStatementParameters,
  type StatementSelection,
  statementParameterNames,
} from '../statements/parameters.ts';
import { languageRanges, lookupRanges } from '../xapi/language.ts';
import { asksForPreview } from './preview.ts';
import { defaultPaths, mapColumns, type PropertyPath, parsePropertyPaths } from './property-paths.ts';

/** What an export asks for. A filter's `limit` is that of the whole export. */
export interface ExportSelection {
  readonly statements: StatementSelection;
  readonly paths: readonly PropertyPath[];
  /** Language maps that follow in columns of their own. */
  readonly maps: readonly PropertyPath[];
  /** The languages of texts, best first (`languageRanges`); undefined: language maps stay JSON. */
  readonly languages: readonly string[] | undefined;
}

/** Rows of a preview. */
export const previewRows = 10;

interface ExportDefaults {
  /** The setting `lrs.stmtGetMaxCsv`; below 1 there is no limit. */
  readonly maxRows: number;
  /** The header of that name. */
  readonly acceptLanguage: string | undefined;
}

/** `token` authenticates the download (`authenticateDownload`). */
const exportNames = ['token', 'property-paths', 'property-path', 'language', 'language-maps', 'preview'];
const knownNames = [...exportNames, ...statementParameterNames];

/**
 * The parameters of an export: `property-paths`, `language`, `language-maps`, `preview` and those of the statement resource. The documentation
 * of lrsql calls the first one `property-path`, which is understood too. Unlike in lrsql, unknown names are refused: with a
 * misspelt filter the export would hold more than was asked for.
 * @throws InvalidError
 */
export function readExportParameters(query: URLSearchParams, defaults: ExportDefaults): ExportSelection {
  const given = adminParameters(query, knownNames);
  const { language, preview, 'language-maps': languageMaps } = given;
  const named = pathsOf(given);
  const paths = named ?? defaultPaths;
  requireBoolean('preview', preview);
  requireBoolean('language-maps', languageMaps);
  return {
    statements: selectedStatements(query, exportNames, defaults.maxRows),
    paths,
    maps: languageMaps === 'true' ? mapColumns(paths) : [],
    languages:
      requestedLanguages(language) ??
      (named === undefined ? languageRanges(defaults.acceptLanguage) : undefined),
  };
}

/**
 * The statements that an export asks for: those of the parameters that are not its own, and of a preview the first ones.
 * @param maxRows below 1 there is no limit.
 */
export function selectedStatements(
  query: URLSearchParams,
  ownNames: readonly string[],
  maxRows: number,
): StatementSelection {
  const filters = [...query].filter(([name]) => !ownNames.includes(name));
  const most = maxRows < 1 ? Number.MAX_SAFE_INTEGER : maxRows;
  const limits = { stmtGetDefault: most, stmtGetMax: most };
  const statements = readStatementParameters(new URLSearchParams(filters), limits);
  return asksForPreview(query) ? shortened(statements) : statements;
}

/** The columns that are named; undefined where none are. */
function pathsOf({
  'property-paths': paths,
  'property-path': alias,
}: Readonly<Record<string, string>>): PropertyPath[] | undefined {
  if (paths !== undefined && alias !== undefined) {
    const message = 'must not occur beside property-paths, which means the same';
    throw new InvalidError(`property-path ${message}.`, { details: [{ path: 'property-path', message }] });
  }
  const given = paths ?? alias;
  return given === undefined ? undefined : parsePropertyPaths(given);
}

/** @throws InvalidError for another value than true and false. */
export function requireBoolean(name: string, value: string | undefined): void {
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
