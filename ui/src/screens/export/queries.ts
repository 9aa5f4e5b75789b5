import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import type { Query } from '../../api/address.ts';
import { callAdmin, sendAdmin } from '../../api/client.ts';
import { sendXapi, type XapiAccess } from '../../api/xapi.ts';
import { type Filters, selectsOne } from '../statements/filters.ts';
import { rowsOf } from './csv-text.ts';
import { suggestionsOf } from './suggestions.ts';

const own = [
  'contents',
  'type',
  'gzip',
  'language-maps',
  'from',
  'show',
  'live',
  'attachments',
  'property-paths',
  'language',
  'preview',
  'token',
];

/** What the address asks for, which may come from the page of statements. */
export function filtersOf(search: URLSearchParams): Filters {
  return Object.fromEntries([...search].filter(([name, value]) => value !== '' && !own.includes(name)));
}

const sampleSize = 100;

/** What the newest statements of the filter have; nothing without a key pair to read them. */
export function suggestionsQuery(xapi: XapiAccess | undefined, filters: Filters) {
  return queryOptions({
    queryKey: ['export', 'suggestions', xapi?.credential['api-key'], filters],
    queryFn:
      xapi === undefined
        ? skipToken
        : async ({ signal }) => suggestionsOf(await sample(xapi, filters, signal)),
    staleTime: 60_000,
  });
}

/** The first rows as the export will have them, and a header, from the server itself. */
export function previewQuery(filters: Filters, table: ExportTable) {
  return queryOptions({
    queryKey: ['export', 'preview', filters, table],
    queryFn: async ({ signal }) => {
      const query = { ...exportQuery(filters, table), preview: true };
      return rowsOf(await (await sendAdmin('csv', { query, signal })).text());
    },
    // The audit trail keeps previews, too: none is asked for more often than it has to be.
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  });
}

/** The first statements as an export as JSON will have them. */
export function jsonPreviewQuery(filters: Filters) {
  return queryOptions({
    queryKey: ['export', 'json-preview', filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, preview: true };
      return (await sendAdmin('export', { query, signal })).text();
    },
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  });
}

/** What an export of statements is going to be: statements, and bytes as lines of JSON; `more`: there are more statements. */
interface ExpectedSize {
  readonly rows: number;
  readonly bytes: number;
  readonly more: boolean;
}

export function sizeQuery(filters: Filters) {
  return queryOptions({
    queryKey: ['export', 'size', filters],
    queryFn: ({ signal }) => callAdmin<ExpectedSize>('export/size', { query: filters, signal }),
    staleTime: 60_000,
  });
}

/** How statements become rows. */
export interface ExportTable {
  readonly columns: readonly PropertyPath[];
  /** Whether columns with all languages follow. */
  readonly hasMaps: boolean;
  /** Of names and descriptions, best first. */
  readonly languages: readonly string[];
}

/** The parameters of `GET /admin/csv`. */
export function exportQuery(filters: Filters, { columns, hasMaps, languages }: ExportTable): Query {
  return {
    ...filters,
    'property-paths': JSON.stringify(columns),
    language: languages.join(','),
    ...(hasMaps && { 'language-maps': true }),
  };
}

/** A single statement has no limit beside its id. */
function atMost(filters: Filters, limit: number): Filters {
  if (selectsOne(filters)) return filters;
  const asked = Number(filters.limit || 0);
  return { ...filters, limit: String(asked > 0 ? Math.min(asked, limit) : limit) };
}

interface StatementAnswer {
  readonly statements?: readonly unknown[];
  readonly more?: string;
}

async function sample(xapi: XapiAccess, filters: Filters, signal: AbortSignal): Promise<readonly unknown[]> {
  const query = atMost(filters, sampleSize);
  const first: StatementAnswer = await (await sendXapi(xapi, 'statements', { query, signal })).json();
  if (first.statements === undefined) return [first];
  const { more = '' } = first;
  if (more === '' || first.statements.length >= Number(query.limit)) return first.statements;
  // A server may give less on a page than was asked for.
  const rest = new URLSearchParams(more.slice(more.indexOf('?') + 1));
  const answer = await sendXapi(xapi, 'statements', { query: Object.fromEntries(rest), signal });
  const second: StatementAnswer = await answer.json();
  return [...first.statements, ...(second.statements ?? [])].slice(0, sampleSize);
}
