import { UnavailableError } from '../../errors.ts';
import { storedText } from '../../position.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Cursor, Entry, Source } from '../records.ts';
import { AnswerTooLongError, reasonOf, type XapiAnswer, XapiClient } from './client.ts';
import { pageOf, pageSize } from './xapi-page.ts';

/** Pages without a new statement that may follow each other: an LRS may look through so many statements for each of them. */
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
  const pages = new Pages(client.address);
  let number = 0;
  let reached = '';
  let limit = pageSize;
  for (let path = firstPage(after, limit); path !== ''; ) {
    const answer = await sendUnlessInterrupted(client, path, pages.count === 0);
    if (answer === undefined) return;
    if (answer instanceof AnswerTooLongError) {
      limit = limitBelow(limit, answer);
      path = firstPage(reached || after, limit);
      continue;
    }
    const { statements, more, contents } = await pageOf(client, answer);
    const through = answer.headers.get('x-experience-api-consistent-through');
    const ids = new Set<string>();
    for (const { statement, json } of statements) {
      number += 1;
      if (typeof statement?.id === 'string') ids.add(statement.id);
      reached = earlier(statement?.stored, through) || reached;
      yield {
        record: { kind: 'statement', json, parts: contents.of(statement) },
        place: `statement ${typeof statement?.id === 'string' ? statement.id : `number ${number} without an id`}`,
        cursor: reached,
      };
    }
    pages.add(path, ids, more);
    path = more;
  }
}

/** The pages that were read, which have to come to an end. */
class Pages {
  readonly #address: string;
  readonly #paths = new Set<string>();
  /** Ids of the last page that had a new statement. */
  #known: ReadonlySet<string> = new Set();
  #withoutNew = 0;

  constructor(address: string) {
    this.#address = address;
  }

  get count(): number {
    return this.#paths.size;
  }

  /**
   * @param ids those of its statements.
   * @param more the next page; empty behind the last one.
   * @throws UnavailableError when further pages bring nothing.
   */
  add(path: string, ids: ReadonlySet<string>, more: string): void {
    this.#paths.add(path);
    const hasNew = [...ids].some((id) => !this.#known.has(id));
    if (hasNew) this.#known = ids;
    this.#withoutNew = hasNew ? 0 : this.#withoutNew + 1;
    if (more === '') return;
    if (this.#paths.has(more)) throw this.#endless(`it leads to ${more} again and again`);
    if (this.#withoutNew > mostEmpty) {
      throw this.#endless(`its last ${mostEmpty} pages have no statement that is new`);
    }
  }

  #endless(reason: string): UnavailableError {
    return new UnavailableError(`${this.#address} does not come to an end: ${reason}.`);
  }
}

/** How many statements to ask for instead. @throws what it is given, when a single one is too long. */
function limitBelow(limit: number, error: AnswerTooLongError): number {
  if (limit === 1) throw error;
  return Math.ceil(limit / 10);
}

/**
 * An answer that is too long is returned, because fewer statements may fit; undefined: the import was interrupted.
 * @throws UnavailableError when the LRS refuses.
 */
async function sendUnlessInterrupted(
  client: XapiClient,
  path: string,
  isFirst: boolean,
): Promise<XapiAnswer | AnswerTooLongError | undefined> {
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
    if (error instanceof AnswerTooLongError) return error;
    throw error;
  }
}

/** @param more the link to a further page, which a proxy before the LRS may not know. */
function noneAt({ address }: XapiClient, more: string | undefined): string {
  return more === undefined
    ? `${address} has no xAPI: give the address below which an LRS has /statements, such as ${new URL(address).origin}/xapi.`
    : `${address} has no further page at ${more}, to which it leads: where a proxy changes its paths, give the address that the LRS has itself.`;
}

function firstPage(after: Cursor | undefined, limit: number): string {
  const query = new URLSearchParams({ ascending: 'true', attachments: 'true', limit: String(limit) });
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
