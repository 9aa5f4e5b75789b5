import Joi from 'joi';
import { requireBoolean, selectedStatements } from '../csv/parameters.ts';
import { InvalidError } from '../errors.ts';
import { adminParameters } from '../single-parameters.ts';
import { type StatementSelection, statementParameterNames } from '../statements/parameters.ts';

/** What an export as JSON asks for. */
export type JsonExportSelection =
  | {
      readonly contents: 'everything';
      readonly gzip: boolean;
      /** The name of a store beside the default one; undefined: the store of the call. */
      readonly store?: string | undefined;
    }
  | {
      readonly contents: 'statements';
      readonly type: JsonType;
      readonly gzip: boolean;
      /** A filter's `limit` is that of the whole export. */
      readonly statements: StatementSelection;
    };

export const jsonTypes = ['ndjson', 'json'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The parameters of an export as JSON beside those of the statement resource, for the documentation. */
export const jsonExportParameters = Joi.object({
  contents: Joi.string()
    .valid('statements', 'everything')
    .default('statements')
    .description(
      '`statements` that all filters let through, or `everything` that the LRS has: accounts without passwords, key pairs without secret keys, documents, statements with voided ones and the contents of attachments, reactions.',
    ),
  type: Joi.string()
    .valid(...jsonTypes)
    .default('ndjson')
    .description('A JSON text in each line (`ndjson`), or one array (`json`), which only statements make.'),
  store: Joi.string().description(
    'With `everything`: the store beside the default one whose contents are wanted, for operators of the default store. It must be open or read-only.',
  ),
  gzip: Joi.boolean().default(false).description('Whether the file is compressed with gzip.'),
  preview: Joi.boolean()
    .default(false)
    .description(
      'With `true` only the first ten statements, which the audit trail tells from a download. Not for `everything`.',
    ),
});

/** `token` authenticates the download (`authenticateDownload`). */
const ownNames = ['token', ...Object.keys(jsonExportParameters.describe().keys)];
const knownNames = [...ownNames, ...statementParameterNames];

/**
 * The parameters of an export as JSON.
 * @param maxRows the setting `lrs.stmtGetMaxCsv`; below 1 there is no limit.
 * @throws InvalidError for unknown names, values that break their rule, and filters of an export of everything.
 */
export function readJsonExportParameters(query: URLSearchParams, maxRows: number): JsonExportSelection {
  const parameters = adminParameters(query, knownNames);
  const { contents = 'statements', type = 'ndjson', gzip, preview, store } = parameters;
  requireBoolean('gzip', gzip);
  requireBoolean('preview', preview);
  requireOneOf('contents', contents, ['statements', 'everything']);
  requireOneOf('type', type, jsonTypes);
  const compressed = gzip === 'true';
  if (contents === 'everything') {
    requireNoOthers(query);
    return { contents, gzip: compressed, store };
  }
  if (store !== undefined) throw refusal('store', 'needs contents=everything');
  const statements = selectedStatements(query, ownNames, maxRows);
  return { contents: 'statements', type: type === 'json' ? 'json' : 'ndjson', gzip: compressed, statements };
}

const ofEverything: readonly string[] = ['token', 'contents', 'gzip', 'store'];

function requireNoOthers(query: URLSearchParams): void {
  const other = [...query].find(
    ([name, value]) => !ofEverything.includes(name) && `${name}=${value}` !== 'type=ndjson',
  );
  if (other === undefined) return;
  throw refusal(other[0], 'does not go together with contents=everything');
}

function requireOneOf(name: string, value: string, values: readonly string[]): void {
  if (!values.includes(value)) throw refusal(name, `must be one of ${values.join(', ')}`);
}

function refusal(path: string, message: string): InvalidError {
  return new InvalidError(`${path} ${message}.`, { details: [{ path, message }] });
}
