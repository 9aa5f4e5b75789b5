import { InvalidError, UnavailableError } from '../../errors.ts';
import { multipartParts } from '../../http/multipart.ts';
import { colon, openBracket, quote } from '../../json/bytes.ts';
import { parseJson } from '../../json/json.ts';
import { closingQuote, endOfBlanks } from '../../json/scanner.ts';
import type { Statement } from '../../xapi/types.ts';
import { excessOfStatement, parseLimited } from '../item-limits.ts';
import { type ListText, levelsOf, listIn } from '../sources/json-items.ts';
import type { XapiAnswer, XapiClient } from './client.ts';
import { PageContents } from './page-contents.ts';

/** Statements that a page is asked to have; the LRS may give fewer. */
export const pageSize = 500;
/** Parts of a page: each of its statements may have come in a request of its own with 1,000 parts, as many as this LRS accepts. */
const mostParts = pageSize * 1000;

export interface StatementOfPage {
  /** undefined: it is not JSON that an import reads, which checking it says. */
  readonly statement: Statement | undefined;
  readonly json: Buffer;
}

/** An answer of an LRS to `GET statements`. */
export interface XapiPage {
  /** Each is parsed when it is its turn, because the tree of a page may need twenty times the memory of its text. */
  readonly statements: Iterable<StatementOfPage>;
  /** Empty on the last one. */
  readonly more: string;
  readonly contents: PageContents;
}

/** @throws UnavailableError when the answer is no page of statements, or one of too many. */
export async function pageOf({ address }: XapiClient, { headers, body }: XapiAnswer): Promise<XapiPage> {
  const contentType = headers.get('content-type') ?? '';
  const contents = new PageContents();
  let first: Buffer | undefined;
  if (/^multipart\//i.test(contentType)) {
    for await (const part of multipartParts(contentType, body, mostParts)) {
      if (first === undefined) first = part.content;
      else contents.add(part);
    }
  }
  const json = first ?? body;
  const start = startOfStatements(json);
  const list = start === undefined ? undefined : listAt(json, start, address);
  if (start === undefined || list === undefined) throw noPage(address);
  const rest = [json.subarray(0, start), Buffer.from('[]'), json.subarray(list.end)];
  const more = moreOf(Buffer.concat(rest), address);
  return { statements: statementsOf(list.items), more, contents };
}

const statementsMark = Buffer.from('"statements"');

/** Where the list begins that the member `statements` of an object is; undefined when there is none. */
function startOfStatements(json: Buffer): number | undefined {
  let level = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] !== quote) {
      level += levelsOf(json[at]);
      continue;
    }
    const end = closingQuote(json, at) + 1;
    if (level === 1 && end - at === statementsMark.length && json.subarray(at, end).equals(statementsMark)) {
      const behind = endOfBlanks(json, end);
      const start = endOfBlanks(json, behind + 1);
      if (json[behind] === colon && json[start] === openBracket) return start;
    }
    at = end - 1;
  }
  return undefined;
}

/** @throws UnavailableError when it has too many items. */
function listAt(json: Buffer, start: number, address: string): ListText | undefined {
  try {
    return listIn(json, start);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    throw new UnavailableError(`${address} answers with too many statements at once: ${error.message}.`, {
      cause: error,
    });
  }
}

/** @param json the page without its statements. @throws UnavailableError when it is none. */
function moreOf(json: Buffer, address: string): string {
  try {
    const { statements, more = '' } = Object(parseLimited(json).value) as {
      readonly statements?: unknown;
      readonly more?: unknown;
    };
    // A second member of this name would be left out.
    if (Array.isArray(statements) && statements.length === 0 && typeof more === 'string') return more;
  } catch (error) {
    throw error instanceof InvalidError ? noPage(address, error) : error;
  }
  throw noPage(address);
}

function* statementsOf(items: Iterable<Buffer>): Generator<StatementOfPage> {
  for (const item of items) {
    // A copy, because a view would keep the whole page in memory for as long as the statement waits to be stored.
    const json = Buffer.from(item.subarray(endOfBlanks(item, 0)));
    yield { statement: parsed(json), json };
  }
}

function parsed(json: Buffer): Statement | undefined {
  if (excessOfStatement(json) !== undefined) return undefined;
  try {
    return parseJson(json).value as unknown as Statement;
  } catch (error) {
    if (error instanceof InvalidError) return undefined;
    throw error;
  }
}

const noPage = (address: string, cause?: unknown): UnavailableError =>
  new UnavailableError(
    `${address} answers with something that is not a page of statements (xAPI 1.0.3 Data 2.5): is it the address of an xAPI?`,
    { cause },
  );
