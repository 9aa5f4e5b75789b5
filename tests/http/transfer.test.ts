import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpTarget } from '../../lib/transfer/http/http-target.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import { serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, stringMember } from '../support/lrs-client.ts';
import { statement, voiding } from '../support/statements.ts';
import {
  createStore,
  exportInto,
  fill,
  importFrom,
  linesOf,
  type TestStore,
  temporaryFolder,
} from '../support/transfer.ts';

const [sqlite] = engines;

describe('an import over HTTP', () => {
  let server: Awaited<ReturnType<typeof serverEntrance>>;
  let client: LrsClient;
  let address: string;
  let store: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    if (sqlite === undefined) throw new Error('There is no engine.');
    folder = await temporaryFolder();
    server = await serverEntrance('http');
    client = await connect(server);
    const pair = await client.admin('POST', '/admin/creds', { scopes: ['all'] });
    const url = new URL('/xapi', server.url);
    url.username = stringMember(pair, 'api-key');
    url.password = stringMember(pair, 'secret-key');
    address = url.href;
    store = await createStore(sqlite);
  });
  afterEach(async () => {
    await server.close();
    await store.remove();
    await folder.remove();
  });

  const post = async (...statements: object[]): Promise<void> => {
    expect((await client.xapi('POST', { body: JSON.stringify(statements) })).status).toBe(200);
  };
  const into = (trusted: boolean) => storeAsTarget(store.store, { trusted, dry: false });

  it('takes the statements of an LRS, with their times and authorities, and later those that have come since', async () => {
    const ids = Array.from({ length: 1100 }, () => randomUUID());
    const [voided = ''] = ids;
    for (let start = 0; start < ids.length; start += 100) {
      await post(...ids.slice(start, start + 100).map((id) => statement({ id })));
    }
    await post(voiding(voided));
    const source = await openSource(address, { folder: folder.path });
    const first = await importFrom(source, into(true), { folder: folder.path });
    expect(first.progress.counts.statement).toEqual({ stored: 1100, present: 0, refused: 0 });
    expect(isClean(first.report)).toBe(true);
    const late = randomUUID();
    await post(statement({ id: late }));
    const second = await importFrom(source, into(true), { folder: folder.path });
    expect(second.progress.counts.statement?.stored).toBe(1);
    expect(second.progress.counts.statement?.present).toBeLessThan(1100);
    expect(isClean(second.report)).toBe(true);
    const lines = await linesOf(store.store, { plain: true });
    expect(lines.map((line): string => JSON.parse(line).id).slice(0, 1099)).toEqual(ids.slice(1));
    expect(JSON.stringify(first)).not.toContain(new URL(address).password);
  });

  it('takes contents of attachments along', async () => {
    const content = Buffer.from('a drawing');
    const sha2 = createHash('sha256').update(content).digest('hex');
    const usage = { usageType: 'https://example.org/u', display: { en: 'x' }, contentType: 'text/plain' };
    const attachments = [{ ...usage, length: content.length, sha2 }];
    const body = [
      '--x\r\nContent-Type: application/json\r\n\r\n',
      JSON.stringify(statement({ attachments })),
      '\r\n--x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\n',
      `X-Experience-API-Hash: ${sha2}\r\n\r\n${content}\r\n--x--\r\n`,
    ].join('');
    const headers = { 'content-type': 'multipart/mixed; boundary=x' };
    expect((await client.xapi('POST', { headers, body })).status).toBe(200);
    const source = await openSource(address, { folder: folder.path });
    expect(isClean((await importFrom(source, into(false), { folder: folder.path })).report)).toBe(true);
    expect((await linesOf(store.store)).join('')).toContain(content.toString('base64'));
  });

  it('sends statements with their attachments, and documents, and finds those that the LRS refuses', async () => {
    await fill(store.store);
    const file = join(folder.path, 'export.ndjson.gz');
    await exportInto(file, store.store);
    const whole = await openSource(file, { folder: folder.path });
    const { progress, report } = await importFrom(whole, httpTarget(address, { dry: false }), {
      folder: folder.path,
    });
    expect(progress.counts).toMatchObject({
      statement: { stored: 7, refused: 0 },
      document: { stored: 4, refused: 0 },
      account: { stored: 0, refused: 2 },
    });
    expect(report.differences).toEqual([]);
    const broken = join(folder.path, 'broken.ndjson');
    const bad = { ...statement({ id: randomUUID() }), verb: {} };
    await writeFile(broken, [statement(), bad, statement()].map((each) => JSON.stringify(each)).join('\n'));
    const some = await importFrom(
      await openSource(broken, { folder: folder.path }),
      httpTarget(address, { dry: false }),
      { folder: join(folder.path, 'second') },
    );
    expect(some.progress.counts.statement).toEqual({ stored: 2, present: 0, refused: 1 });
    expect(some.report.refused).toMatchObject([
      { place: 'item 2', id: bad.id, refused: expect.stringContaining('400') },
    ]);
  });
});
