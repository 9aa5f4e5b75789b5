import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { formatMultipart } from '../../../../lib/http/multipart.ts';
import { xapiSource } from '../../../../lib/transfer/http/xapi-source.ts';
import type { StatementRecord } from '../../../../lib/transfer/records.ts';
import { singleStatement } from '../../../../lib/transfer/single-statement.ts';
import { statement } from '../../../support/statements.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The statements of an LRS. */
async function read(answer: (response: ServerResponse, url: string) => void): Promise<StatementRecord[]> {
  const server = createServer((request, response) => answer(response, request.url ?? ''));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const records: StatementRecord[] = [];
  for await (const { record } of xapiSource(`http://key:secret@127.0.0.1:${port}/xapi`).entries()) {
    if (record.kind === 'statement') records.push(record);
  }
  return records;
}

const page = (statements: readonly unknown[]) => ({
  headers: { 'Content-Type': 'application/json' },
  content: Buffer.from(JSON.stringify({ statements, more: '' })),
});
const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const partOf = (content: Buffer, type = 'text/plain') => ({
  headers: { 'Content-Type': type, 'X-Experience-API-Hash': hashOf(content) },
  content,
});
const withAttachments = (contents: readonly Buffer[]) => ({
  ...statement(),
  attachments: contents.map((content) => ({
    usageType: 'https://usages.example/file',
    display: {},
    contentType: 'text/plain',
    length: content.length,
    sha2: hashOf(content),
  })),
});
const multipart = (parts: Parameters<typeof formatMultipart>[0]) => (response: ServerResponse) => {
  const { contentType, body } = formatMultipart(parts);
  response.writeHead(200, { 'content-type': contentType }).end(body);
};

it('A page of 400 statements with three attachments each is read, and each statement has its own contents.', async () => {
  const contents = Array.from({ length: 400 }, (_, at) =>
    [1, 2, 3].map((each) => Buffer.from(`${at}.${each}`)),
  );
  const parts = contents.flat().map((content) => partOf(content));
  const records = await read(multipart([page(contents.map(withAttachments)), ...parts]));
  expect(records.map(({ parts }) => parts.map(({ content }) => content.toString()))).toEqual(
    contents.map((each) => each.map(String)),
  );
});

it('A content that a page repeats belongs to a statement once for each type.', async () => {
  const content = Buffer.from('text');
  const repeated = Array.from({ length: 2000 }, () => partOf(content));
  const parts = [page([withAttachments([content])]), ...repeated, partOf(content, 'text/html')];
  const [record] = await read(multipart(parts));
  expect(record?.parts.map(({ contentType }) => contentType)).toEqual(['text/plain', 'text/html']);
});

it('A statement that waits to be stored does not keep the other contents of its page in memory.', async () => {
  const content = Buffer.alloc(10_000, 'a');
  const others = Buffer.alloc(1_000_000, 'b');
  const [record] = await read(
    multipart([page([withAttachments([content])]), partOf(content), partOf(others)]),
  );
  expect(record?.parts[0]?.content.buffer.byteLength).toBe(10_000);
  expect(record?.json.buffer.byteLength).toBeLessThan(10_000);
});

const json = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
const ones = (count: number): string => `[${Array(count).fill(1).join(',')}]`;

it('A page of more than a million statements is refused before it is parsed.', async () => {
  await expect(read(json(`{"statements":${ones(1_000_001)}}`))).rejects.toThrow(
    /answers with too many statements at once: it is a list of more than 1000000 items\.$/,
  );
});

it('A page with more than a million JSON values beside its statements is refused before it is parsed.', async () => {
  await expect(read(json(`{"other":${ones(1_000_001)},"statements":[]}`))).rejects.toThrow(
    'something that is not a page of statements',
  );
});

it('A statement of more than a million JSON values is refused without being parsed, and the others of its page are read.', async () => {
  const records = await read(
    json(`{"statements":[{"many":${ones(1_000_001)}},${JSON.stringify(statement())}]}`),
  );
  expect(records.map((record) => singleStatement(record).kind)).toEqual(['unreadable', 'statement']);
});

it.each([
  ['{"more":"","statements":[%]}', 'behind other members'],
  [
    ' { "a" : {"statements":[1]}, "b":["statements"], "statements" : [ % ] , "more" : "" } ',
    'between white space',
  ],
  ['{"c":"\\"statements\\":[","statements":[%]}', 'behind a text that looks like it'],
])('The statements of the page %s are found %s, and numbers keep their digits.', async (text) => {
  const one = '{"id":"00000000-0000-4000-8000-000000000000","n":1.0}';
  const records = await read(json(text.replace('%', one)));
  expect(records.map((record) => record.json.toString().trim())).toEqual([one]);
});

it.each([
  '{"statements":[1]',
  '{"statements":[1],"statements":[2]}',
  '["statements",[1]]',
  '{"statements":[1}}',
])('An answer %s is no page of statements.', async (text) => {
  await expect(read(json(text))).rejects.toThrow('something that is not a page of statements');
});

it('Where an answer is too long, the import asks for fewer statements behind those that it has.', async () => {
  const zeros = gzipSync(Buffer.alloc(257 * 1024 * 1024));
  const [one, two] = [1, 2].map((day) => ({ ...statement(), stored: `2024-01-0${day}T00:00:00Z` }));
  const asked: string[] = [];
  const records = await read((response, url) => {
    const query = new URL(url, 'http://lrs.example').searchParams;
    asked.push(`${query.get('limit') ?? 'more'} ${query.get('since') ?? ''}`.trim());
    if (query.has('more')) response.writeHead(200, { 'content-encoding': 'gzip' }).end(zeros);
    else if (query.has('since')) json(JSON.stringify({ statements: [one, two], more: '' }))(response);
    else json(JSON.stringify({ statements: [one], more: '/xapi/statements?more=x' }))(response);
  });
  expect(asked).toEqual(['500', 'more', '50 2023-12-31T23:59:59.999000Z']);
  expect(records.map((record) => JSON.parse(record.json.toString()).id)).toEqual([one?.id, one?.id, two?.id]);
});
