import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../config/config.ts';
import { examineHere } from '../../scripts/doctor/here.ts';
import { type Clamd, hasClamd, longestStream, malware, startClamd } from '../support/clamd.ts';
import { resources } from '../support/document-resources.ts';
import { type Entrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';
import { newStatement } from '../support/statement-client.ts';

describe.skipIf(!hasClamd)('contents that ClamAV scans', () => {
  let daemon: Clamd;
  let entrance: Entrance;
  let client: LrsClient;
  beforeAll(async () => {
    daemon = await startClamd();
    entrance = await serverEntrance('http', {
      LRS_ENABLE_CLAMAV: 'true',
      LRS_CLAMAV_HOST: '127.0.0.1',
      LRS_CLAMAV_PORT: String(daemon.port),
      LRS_MAX_BODY_BYTES: String(4 * longestStream),
    });
    client = await connect(entrance);
  });
  afterAll(async () => {
    await entrance?.close();
    await daemon?.stop();
  });

  const document = (
    method: string,
    query: Record<string, string>,
    body?: string,
    path = 'activities/state',
  ) =>
    client.xapi(method, {
      path: `/xapi/${path}`,
      query: new URLSearchParams(query).toString(),
      ...(body !== undefined && { body, headers: { 'content-type': 'text/plain', 'if-none-match': '*' } }),
    });

  const withAttachments = (...texts: string[]) => {
    const described = texts.map((text) => ({
      usageType: 'http://example.org/usage',
      display: { en: 'a file' },
      contentType: 'text/plain',
      length: Buffer.byteLength(text),
      sha2: createHash('sha256').update(text).digest('hex'),
    }));
    const statement = newStatement({ attachments: described });
    const parts = texts.map(
      (text, index) =>
        `--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${described[index]?.sha2}\r\n\r\n${text}\r\n`,
    );
    const body = `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(statement)}\r\n${parts.join('')}--b--\r\n`;
    return { statement, hashes: described.map(({ sha2 }) => sha2), body };
  };
  const post = (body: string) =>
    client.xapi('POST', { body, headers: { 'content-type': 'multipart/mixed; boundary=b' } });
  const statusOf = async (id: string) => (await client.xapi('GET', { query: `statementId=${id}` })).status;

  it.each(resources)('are documents of $kind: clean ones are stored, others are not', async (resource) => {
    const query = { ...resource.newOwner(), [resource.id]: 'an id' };
    for (const method of ['PUT', 'POST']) {
      const refused = await document(method, query, `before ${malware} behind`, resource.kind);
      expect(refused.status).toBe(400);
      expect(parsed(refused)).toMatchObject({
        code: 'invalid',
        details: [{ path: 'document', message: expect.stringContaining('LRS-Test'), rule: 'malware' }],
      });
    }
    expect((await document('GET', query, undefined, resource.kind)).status).toBe(404);
    expect((await document('PUT', query, 'harmless', resource.kind)).status).toBe(204);
  });

  it('are attachments: a statement is stored only if all of its own are clean', async () => {
    const infected = withAttachments('harmless', malware);
    const refused = await post(infected.body);
    expect(refused.status).toBe(400);
    expect(parsed(refused)).toMatchObject({ details: [{ path: `attachment ${infected.hashes[1]}` }] });
    expect(await statusOf(infected.statement.id)).toBe(404);
    const clean = withAttachments('harmless', 'harmless, too');
    expect((await post(clean.body)).status).toBe(200);
    expect(await statusOf(clean.statement.id)).toBe(200);
  });

  it('are not stored when they could not be scanned', async () => {
    const query = { ...resources[0]?.newOwner(), stateId: 'large' };
    const tooLarge = await document('PUT', query, 'x'.repeat(2 * longestStream));
    expect([tooLarge.status, tooLarge.headers['retry-after']]).toEqual([503, '1']);
    expect((await document('GET', query)).status).toBe(404);
  });

  it('are not stored while the daemon is away, which the doctor says, as it does when the daemon takes less than a request may have; statements without attachments are', async () => {
    const doctor = async (maxBodyBytes: number) => {
      const env = {
        LRS_ENABLE_CLAMAV: 'true',
        LRS_CLAMAV_HOST: '127.0.0.1',
        LRS_CLAMAV_PORT: String(daemon.port),
        LRS_MAX_BODY_BYTES: String(maxBodyBytes),
      };
      const findings = await examineHere({ env, cwd: '/nowhere' });
      return findings.find(({ check }) => check === 'ClamAV');
    };
    const name = `clamd at 127.0.0.1:${daemon.port}`;
    expect(await doctor(longestStream)).toMatchObject({ outcome: 'ok', message: `${name} scans contents.` });
    expect(await doctor(longestStream + 1)).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(
        `^${name} does not scan ${longestStream + 1} bytes .* set StreamMaxLength .*size limit exceeded`,
      ),
    });
    await daemon.stop();
    expect(await doctor(longestStream)).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(
        `^${name} scans nothing, .* check clamavHost and clamavPort.*ECONNREFUSED`,
      ),
    });
    const query = { ...resources[0]?.newOwner(), stateId: 'away' };
    expect((await document('PUT', query, 'harmless')).status).toBe(503);
    expect((await document('GET', query)).status).toBe(404);
    const { body, statement } = withAttachments('harmless');
    expect((await post(body)).status).toBe(503);
    expect(await statusOf(statement.id)).toBe(404);
    expect((await client.xapi('POST', { body: JSON.stringify(newStatement()) })).status).toBe(200);
  });
});

it('scanning excludes a bucket, whose uploads pass by the server', () => {
  const env = { LRS_ENABLE_CLAMAV: 'true', LRS_ATTACHMENT_BUCKET: 'my-attachments' };
  expect(() => loadConfig({ env, cwd: '/nowhere' })).toThrow(ConfigError);
});
