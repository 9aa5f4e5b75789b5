import { UnavailableError } from '../../errors.ts';
import { parseMultipart } from '../../http/multipart.ts';
import { parseJson, printJson } from '../../json/json.ts';
import { storedText } from '../../position.ts';
import { type AttachmentPart, attachmentsOf } from '../../xapi/statement/attachments.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Cursor, Entry, Source } from '../records.ts';
import { reasonOf, type XapiAnswer, XapiClient } from './client.ts';

/** Statements of a page; the LRS may give fewer. */
const pageSize = 500;
/** Statements of one batch may have the same `stored`, so an import that continues asks for those of this time (µs) once more. */
const overlap = 1000;

/**
 * The statements of any LRS, with the contents of their attachments, oldest first. Voided ones are not among them: only the
 * statement that voids is. It continues behind what the LRS has said to be complete (`X-Experience-API-Consistent-Through`).
 * @param url of its xAPI, with a key pair that may read all statements.
 */
export function xapiSource(url: string): Source {
  const client = new XapiClient(url);
  return {
    name: client.address,
    grows: true,
    entries: (after) => entriesOf(client, after),
    close: () => Promise.resolve(),
  };
}

async function* entriesOf(client: XapiClient, after: Cursor | undefined): AsyncGenerator<Entry> {
  let path = firstPage(after);
  do {
    const answer = await client.send({ path });
    if (answer.status !== 200)
      throw new UnavailableError(`${client.address} refuses to give statements: ${reasonOf(answer)}`);
    const { statements, more, parts } = await pageOf(answer);
    const through = answer.headers.get('x-experience-api-consistent-through');
    for (const { statement, json } of statements) {
      const own = new Set(attachmentsOf(statement).map(({ sha2 }) => sha2.toLowerCase()));
      yield {
        record: { kind: 'statement', json, parts: parts.filter(({ sha2 }) => own.has(sha2)) },
        place: `statement ${statement.id}`,
        cursor: earlier(statement.stored, through),
      };
    }
    path = more;
  } while (path !== '');
}

function firstPage(after: Cursor | undefined): string {
  const query = new URLSearchParams({ ascending: 'true', attachments: 'true', limit: String(pageSize) });
  if (after !== undefined && after !== '') {
    query.set('since', storedText(timestampToMicroseconds(String(after)) - overlap));
  }
  return `/statements?${query}`;
}

/** What is stored after the second one may not be complete. */
function earlier(stored = '', through: string | null): string {
  if (through === null || stored === '') return stored;
  return timestampToMicroseconds(through) < timestampToMicroseconds(stored) ? through : stored;
}

interface Page {
  readonly statements: readonly { readonly statement: Statement; readonly json: Buffer }[];
  /** Empty on the last one. */
  readonly more: string;
  readonly parts: readonly AttachmentPart[];
}

async function pageOf({ headers, body }: XapiAnswer): Promise<Page> {
  const contentType = headers.get('content-type') ?? '';
  const [first, ...others] = /^multipart\//i.test(contentType)
    ? await parseMultipart(contentType, body)
    : [{ headers: {}, content: body }];
  const { value, source } = parseJson(first?.content ?? body);
  const page = value as { readonly statements?: readonly Statement[]; readonly more?: string };
  // Numbers are printed as they came.
  const exact = source as { readonly statements?: readonly unknown[] };
  return {
    statements: (page.statements ?? []).map((statement, index) => ({
      statement,
      json: Buffer.from(printJson(exact.statements?.[index])),
    })),
    more: page.more ?? '',
    parts: others.map((part) => ({
      sha2: (part.headers['x-experience-api-hash'] ?? '').toLowerCase(),
      ...(part.headers['content-type'] !== undefined && { contentType: part.headers['content-type'] }),
      content: part.content,
    })),
  };
}
