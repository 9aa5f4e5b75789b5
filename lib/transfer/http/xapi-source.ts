import { InvalidError, UnavailableError } from '../../errors.ts';
import { multipartParts } from '../../http/multipart.ts';
import { type ParsedJson, parseJson, printJson } from '../../json/json.ts';
import { storedText } from '../../position.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Cursor, Entry, Source } from '../records.ts';
import { reasonOf, type XapiAnswer, XapiClient } from './client.ts';
import { PageContents } from './page-contents.ts';

/** Statements of a page; the LRS may give fewer. */
const pageSize = 500;
/** Parts of a page: each of its statements may have come in a request of its own with 1,000 parts, as many as this LRS accepts. */
const mostParts = pageSize * 1000;
/** Pages without a statement that may follow each other: an LRS may look through so many for each of them. */
const mostEmpty = 1000;
/** Statements of one batch may have the same `stored`, so an import that continues asks for those of this time (µs) once more. */
const overlap = 1000;

/**
 * The statements of any LRS, with the contents of their attachments, oldest first. Voided ones are not among them: only the
 * statement that voids is. It continues behind what the LRS has said to be complete (`X-Experience-API-Consistent-Through`).
 * @param url of its xAPI, with a key pair that may read all statements.
 */
export function xapiSource(url: string): Source {
  const client = new XapiClient(url, '--from');
  return {
    name: client.address,
    identity: client.address,
    grows: true,
    entries: (after) => entriesOf(client, after),
    interrupt: () => client.interrupt(),
    close: () => Promise.resolve(),
  };
}

async function* entriesOf(client: XapiClient, after: Cursor | undefined): AsyncGenerator<Entry> {
  const pages = new Set<string>();
  let empty = 0;
  let number = 0;
  let reached = '';
  for (let path = firstPage(after); path !== ''; ) {
    const answer = await sendUnlessInterrupted(client, path, pages.size === 0);
    if (answer === undefined) return;
    const { statements, more, contents } = await pageOf(client, answer);
    const through = answer.headers.get('x-experience-api-consistent-through');
    for (const { statement, json } of statements) {
      number += 1;
      reached = earlier(statement?.stored, through) || reached;
      yield {
        record: { kind: 'statement', json, parts: contents.of(statement) },
        place: `statement ${typeof statement?.id === 'string' ? statement.id : `number ${number} without an id`}`,
        cursor: reached,
      };
    }
    empty = statements.length === 0 ? empty + 1 : 0;
    pages.add(path);
    if (more !== '' && (pages.has(more) || empty > mostEmpty)) {
      throw new UnavailableError(
        `${client.address} does not come to an end: it leads to ${more} again and again.`,
      );
    }
    path = more;
  }
}

/** undefined: the import was interrupted. @throws UnavailableError when the LRS refuses. */
async function sendUnlessInterrupted(
  client: XapiClient,
  path: string,
  isFirst: boolean,
): Promise<XapiAnswer | undefined> {
  try {
    const answer = await client.send({ path });
    if (answer.status === 200) return answer;
    throw new UnavailableError(
      answer.status === 404
        ? noneAt(client, isFirst ? undefined : path)
        : `${client.address} refuses to give statements: ${reasonOf(answer)}`,
    );
  } catch (error) {
    if (client.isInterrupted) return undefined;
    throw error;
  }
}

/** @param more the link to a further page, which a proxy before the LRS may not know. */
function noneAt({ address }: XapiClient, more: string | undefined): string {
  return more === undefined
    ? `${address} has no xAPI: give the address below which an LRS has /statements, such as ${new URL(address).origin}/xapi.`
    : `${address} has no further page at ${more}, to which it leads: where a proxy changes its paths, give the address that the LRS has itself.`;
}

function firstPage(after: Cursor | undefined): string {
  const query = new URLSearchParams({ ascending: 'true', attachments: 'true', limit: String(pageSize) });
  if (after !== undefined && after !== '') {
    query.set('since', storedText(timestampToMicroseconds(String(after)) - overlap));
  }
  return `/statements?${query}`;
}

/** What is stored after the second one may not be complete. Empty where nothing tells a time. */
function earlier(stored: unknown, through: string | null): string {
  if (typeof stored !== 'string' || !Number.isFinite(timestampToMicroseconds(stored))) return '';
  if (through === null) return stored;
  return timestampToMicroseconds(through) < timestampToMicroseconds(stored) ? through : stored;
}

function parsed(page: Buffer, address: string): ParsedJson {
  try {
    return parseJson(page);
  } catch (error) {
    throw error instanceof InvalidError ? noPage(address, error) : error;
  }
}

const noPage = (address: string, cause?: unknown): UnavailableError =>
  new UnavailableError(
    `${address} answers with something that is not a page of statements (xAPI 1.0.3 Data 2.5): is it the address of an xAPI?`,
    { cause },
  );

interface Page {
  readonly statements: readonly { readonly statement: Statement; readonly json: Buffer }[];
  /** Empty on the last one. */
  readonly more: string;
  readonly contents: PageContents;
}

/** @throws UnavailableError when the answer is no page of statements. */
async function pageOf({ address }: XapiClient, { headers, body }: XapiAnswer): Promise<Page> {
  const contentType = headers.get('content-type') ?? '';
  const contents = new PageContents();
  let first: Buffer | undefined;
  if (/^multipart\//i.test(contentType)) {
    for await (const part of multipartParts(contentType, body, mostParts)) {
      if (first === undefined) first = part.content;
      else contents.add(part);
    }
  }
  const { value, source } = parsed(first ?? body, address);
  const page = (value ?? {}) as { readonly statements?: readonly Statement[]; readonly more?: string };
  const { statements, more = '' } = page;
  if (!Array.isArray(statements) || typeof more !== 'string') throw noPage(address);
  // Numbers are printed as they came.
  const exact = source as { readonly statements?: readonly unknown[] } | null;
  return {
    statements: statements.map((statement: Statement, index) => ({
      statement,
      json: Buffer.from(printJson(exact?.statements?.[index])),
    })),
    more,
    contents,
  };
}
