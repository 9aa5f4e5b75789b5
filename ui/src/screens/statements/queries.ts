import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Statement } from '../../../../lib/xapi/types.ts';
import { ApiError } from '../../api/errors.ts';
import { sendXapi, type XapiAccess } from '../../api/xapi.ts';
import { type Filters, requestOf } from './filters.ts';

/** As it is stored: the server has given it an id and a time. */
export type StoredStatement = Statement & Required<Pick<Statement, 'id' | 'stored'>>;

export interface StatementPage {
  readonly statements: readonly StoredStatement[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
  /** No statement that was stored until then becomes visible later. */
  readonly through: string;
}

interface Reading {
  readonly languages: readonly string[];
  readonly signal?: AbortSignal;
}

/** Reads a page of statements, or the one that is asked for by its id. */
export async function readPage(
  xapi: XapiAccess,
  filters: Filters,
  { languages, signal }: Reading,
): Promise<StatementPage> {
  const headers = { 'Accept-Language': languages.join(',') };
  const response = await sendXapi(xapi, 'statements', { query: requestOf(filters), headers, signal });
  const answer: StatementAnswer = await response.json();
  return {
    statements: 'statements' in answer ? answer.statements : [answer],
    next: 'more' in answer ? startOf(answer.more) : undefined,
    through: response.headers.get('X-Experience-API-Consistent-Through') ?? '',
  };
}

type StatementAnswer =
  | { readonly statements: readonly StoredStatement[]; readonly more?: string }
  | StoredStatement;

/** The link repeats the parameters of the request and adds where to go on. */
function startOf(more = ''): string | undefined {
  return new URLSearchParams(more.split('?')[1]).get('from') ?? undefined;
}

interface PageQuery {
  readonly xapi: XapiAccess;
  readonly filters: Filters;
  readonly from: string;
  readonly languages: readonly string[];
}

/** A page that was shown stays at hand for the way back. */
export function pageQuery({ xapi, filters, from, languages }: PageQuery) {
  const parameters = from === '' ? filters : { ...filters, from };
  return queryOptions({
    queryKey: ['statements', xapi.credential['api-key'], languages, parameters],
    queryFn: ({ signal }) => readPage(xapi, parameters, { languages, signal }),
    placeholderData: keepPreviousData,
    staleTime: from === '' ? 5_000 : 60_000,
  });
}

/** A statement in the server's own words. */
export interface StatementText {
  readonly text: string;
  readonly statement: StoredStatement;
  readonly isVoided: boolean;
}

/** The statement with the id, voided or not. */
export function statementQuery(xapi: XapiAccess, id: string) {
  const queryKey = ['statements', xapi.credential['api-key'], 'one', id];
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => {
      const isVoided = client.getQueryData<StatementText>(queryKey)?.isVoided;
      return readStatement(xapi, id, { signal, isVoided });
    },
  });
}

/** @param isVoided where that is known: to ask in vain would leave a failure in the audit trail. */
async function readStatement(
  xapi: XapiAccess,
  id: string,
  { signal, isVoided = false }: { readonly signal: AbortSignal; readonly isVoided: boolean | undefined },
): Promise<StatementText> {
  const read = async (parameter: string): Promise<StatementText> => {
    const response = await sendXapi(xapi, 'statements', { query: { [parameter]: id }, signal });
    const text = await response.text();
    return { text, statement: JSON.parse(text), isVoided: parameter === 'voidedStatementId' };
  };
  if (isVoided) return read('voidedStatementId');
  try {
    return await read('statementId');
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return read('voidedStatementId');
  }
}
