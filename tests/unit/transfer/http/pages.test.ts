import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { formatMultipart } from '../../../../lib/http/multipart.ts';
import { xapiSource } from '../../../../lib/transfer/http/xapi-source.ts';
import type { StatementRecord } from '../../../../lib/transfer/records.ts';
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
