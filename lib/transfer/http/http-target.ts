import { documentKinds } from '../../documents/kinds.ts';
import type { DocumentAddress, DocumentContent } from '../../documents/types.ts';
import { UnavailableError } from '../../errors.ts';
import { formatMultipart, type Part, parseMultipart } from '../../http/multipart.ts';
import { agentOf } from '../../xapi/agent.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import type {
  DocumentRecord,
  FoundContents,
  FoundStatement,
  Outcome,
  StatementRecord,
  Target,
} from '../records.ts';
import { idOf } from '../statement-id.ts';
import { versionOf } from '../version.ts';
import { reasonOf, type XapiAnswer, XapiClient } from './client.ts';

/** Statements of one request, and requests that look statements up at the same time. */
const batch = 200;
const lookupsAtOnce = 8;

/**
 * Stores records in any LRS, by its xAPI, which gives every statement its own `stored` and `authority`.
 * @param url with a key pair that may write and read.
 */
export function httpTarget(url: string, { dry }: { readonly dry: boolean }): Target {
  const client = new XapiClient(url, '--to');
  const unsupported = (what: string) => (): Promise<Outcome> =>
    Promise.resolve({ refused: `${what} cannot be sent to an LRS; import into its database` });
  return {
    name: client.address,
    id: client.address,
    dry,
    trusted: false,
    prepareStatements: async (records) => () =>
      dry ? Promise.resolve(records.map((): Outcome => 'stored')) : storeAll(client, records),
    storeDocument: (record) => (dry ? Promise.resolve('stored') : storeDocument(client, record)),
    storeAccount: unsupported('accounts'),
    storeKeyPair: unsupported('key pairs'),
    storeReaction: unsupported('reactions'),
    // They are refused, and so not compared.
    differencesOf: () => Promise.resolve(undefined),
    findStatements: (ids) => findStatements(client, ids),
    findContents: (ids) => findContents(client, ids),
    findDocument: ({ address }) => findDocument(client, address),
    // Nothing is placed: the LRS gives each statement the next position.
    positions: () => Promise.resolve({ statement: 0, newest: 0 }),
    finish: () => Promise.resolve(),
  };
}

async function storeAll(client: XapiClient, records: readonly StatementRecord[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0, end = 0; start < records.length; start = end) {
    const version = versionOf(records[start]?.json ?? Buffer.alloc(0));
    end = start + 1;
    const fits = (record: StatementRecord | undefined): boolean =>
      record !== undefined && end - start < batch && versionOf(record.json) === version;
    while (fits(records[end])) end += 1;
    outcomes.push(...(await storeSome(client, records.slice(start, end), version)));
  }
  return outcomes;
}

/** A request that is refused is sent again in halves, until those are found that are the reason. */
async function storeSome(
  client: XapiClient,
  records: readonly StatementRecord[],
  version: XapiVersion,
): Promise<Outcome[]> {
  const { contentType, body } = bodyOf(records);
  const headers = { 'Content-Type': contentType };
  const answer = await client.send({ method: 'POST', path: '/statements', version, headers, body });
  if (answer.status === 200) {
    requireIds(client, answer, records);
    return records.map(() => 'stored');
  }
  requireAboutRecord(client, answer);
  if (records.length === 1) return [{ refused: reasonOf(answer) }];
  const middle = Math.ceil(records.length / 2);
  return [
    ...(await storeSome(client, records.slice(0, middle), version)),
    ...(await storeSome(client, records.slice(middle), version)),
  ];
}

/**
 * What is behind an address may answer anything with 200.
 * @throws UnavailableError unless the answer has the ids of what was sent (xAPI 1.0.3 Communication 2.1.2).
 */
function requireIds(client: XapiClient, answer: XapiAnswer, records: readonly StatementRecord[]): void {
  const sent = records.map(({ json }) => idOf(json)?.toLowerCase());
  if (isSame(answeredIds(answer), sent)) return;
  throw new UnavailableError(
    `${client.address} answers with 200, but not with the ids of the statements that it was sent: is it the address of an xAPI?`,
  );
}

function answeredIds({ body }: XapiAnswer): readonly unknown[] {
  try {
    const ids: unknown = JSON.parse(body.toString('utf8'));
    return Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : [];
  } catch {
    return [];
  }
}

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((each, index) => each === others[index]);

function bodyOf(records: readonly StatementRecord[]): {
  readonly contentType: string;
  readonly body: Buffer;
} {
  const texts = records.map(({ json }) => json.toString('utf8'));
  const content = Buffer.from(`[${texts.join(',')}]`);
  const parts = new Map(records.flatMap(({ parts: own }) => own.map((part) => [part.sha2, part] as const)));
  if (parts.size === 0) return { contentType: 'application/json', body: content };
  const first: Part = { headers: { 'Content-Type': 'application/json' }, content };
  const others = [...parts.values()].map(
    ({ sha2, contentType = 'application/octet-stream', content: bytes }) => ({
      headers: {
        'Content-Type': contentType,
        'Content-Transfer-Encoding': 'binary',
        'X-Experience-API-Hash': sha2,
      },
      content: bytes,
    }),
  );
  return formatMultipart([first, ...others]);
}

/** @throws UnavailableError when the LRS refuses for another reason than what it was sent. */
function requireAboutRecord(client: XapiClient, answer: XapiAnswer): void {
  if ([400, 409, 412, 413].includes(answer.status)) return;
  throw new UnavailableError(`${client.address} refuses to store: ${reasonOf(answer)}`);
}

function findStatements(
  client: XapiClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundStatement>> {
  return findEach(ids, async (id) => {
    const found = await findStatement(client, id);
    return found && { text: found.answer.body.toString('utf8'), voided: found.voided };
  });
}

function findContents(
  client: XapiClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundContents>> {
  return findEach(ids, async (id) => {
    const found = await findStatement(client, id, '&attachments=true');
    if (found === undefined) return undefined;
    const contentType = found.answer.headers.get('content-type') ?? '';
    if (!/^multipart\//i.test(contentType)) return new Map();
    const [, ...parts] = await parseMultipart(contentType, found.answer.body);
    return new Map(
      parts.map(({ headers, content }) => [
        (headers['x-experience-api-hash'] ?? '').toLowerCase(),
        content.length,
      ]),
    );
  });
}

async function findEach<Found>(
  ids: readonly string[],
  find: (id: string) => Promise<Found | undefined>,
): Promise<ReadonlyMap<string, Found>> {
  const all = new Map<string, Found>();
  for (let start = 0; start < ids.length; start += lookupsAtOnce) {
    await Promise.all(
      ids.slice(start, start + lookupsAtOnce).map(async (id) => {
        const found = await find(id);
        if (found !== undefined) all.set(id, found);
      }),
    );
  }
  return all;
}

async function findStatement(client: XapiClient, id: string, more = '') {
  for (const voided of [false, true]) {
    const parameter = voided ? 'voidedStatementId' : 'statementId';
    const answer = await client.send({ path: `/statements?${parameter}=${id}${more}` });
    if (answer.status === 200) return { answer, voided };
    if (answer.status !== 404) throw new UnavailableError(`${client.address}: ${reasonOf(answer)}`);
  }
  return undefined;
}

async function storeDocument(client: XapiClient, record: DocumentRecord): Promise<Outcome> {
  const { address, document, updated } = record;
  const path = pathOf(address);
  const before = await client.send({ path, version: '1.0.3' });
  const modified = Date.parse(before.headers.get('last-modified') ?? '') * 1000;
  if (before.status === 200 && (before.body.equals(document.content) || modified >= updated))
    return 'present';
  const condition: Record<string, string> =
    before.status === 200 ? { 'If-Match': before.headers.get('etag') ?? '' } : { 'If-None-Match': '*' };
  const headers = { 'Content-Type': document.contentType, ...condition };
  const answer = await client.send({
    method: 'PUT',
    path,
    version: '1.0.3',
    headers,
    body: document.content,
  });
  if (answer.status === 204) return 'stored';
  requireAboutRecord(client, answer);
  return { refused: reasonOf(answer) };
}

async function findDocument(
  client: XapiClient,
  address: DocumentAddress,
): Promise<DocumentContent | undefined> {
  const { status, headers, body } = await client.send({ path: pathOf(address), version: '1.0.3' });
  return status === 200 ? { contentType: headers.get('content-type') ?? '', content: body } : undefined;
}

function pathOf({ kind, activity, agent, registration, id }: DocumentAddress): string {
  const query = new URLSearchParams({ [documentKinds[kind].id]: id });
  if (activity !== undefined) query.set('activityId', activity);
  if (agent !== undefined) query.set('agent', JSON.stringify(agentOf(agent)));
  if (registration !== undefined) query.set('registration', registration);
  return `/${kind}?${query}`;
}
