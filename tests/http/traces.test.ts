import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { attributeOf, type Collector, type SentSpan, startCollector } from '../support/collector.ts';
import { startServerProcess } from '../support/server-process.ts';
import { newStatement } from '../support/statement-client.ts';

const key = 'traces-test-key';
const secret = 'traces-test-secret';
const settings = {
  LRS_ADMIN_USER_DEFAULT: 'traces-admin',
  LRS_ADMIN_PASS_DEFAULT: 'Traces-admin-4711!',
  LRS_API_KEY_DEFAULT: key,
  LRS_API_SECRET_DEFAULT: secret,
  LRS_ENABLE_TRACES: 'true',
  LRS_TRACE_RATIO: '0',
  LRS_ENABLE_OTLP_METRICS: 'true',
  LRS_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
  LRS_LOG_LEVEL: 'DEBUG',
};
const headers = {
  authorization: `Basic ${btoa(`${key}:${secret}`)}`,
  'x-experience-api-version': '1.0.3',
  'content-type': 'application/json',
};
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const recordedParent = `00-${traceId}-00f067aa0ba902b7-01`;
const unrecordedParent = '00-aaaabbbbccccddddeeeeffff00001111-00f067aa0ba902b7-00';

/** A value that statements of SQL have. */
const storedName = 'a name that only a value has';

describe('the traces of a server', () => {
  let directory: string;
  let collector: Collector;
  let log: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lrs-traces-'));
    collector = await startCollector();
    const server = startServerProcess({
      directory,
      program: builtProgram('serve'),
      env: { ...settings, LRS_OTLP_ENDPOINT: collector.url },
    });
    const statements = `${await server.origin()}/xapi/statements`;
    const send = (more: Record<string, string>) =>
      fetch(statements, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ ...newStatement(), actor: { mbox: 'mailto:a@b.example', name: storedName } }),
      });
    await send({});
    await send({ traceparent: unrecordedParent });
    const recorded = { traceparent: recordedParent, 'x-request-id': 'request-4711' };
    expect((await send(recorded)).status).toBe(200);
    const query = 'verb=http%3A%2F%2Fsecret-in-a-query.example';
    const read = await fetch(`${statements}?${query}`, { headers: { ...headers, ...recorded } });
    expect(read.status).toBe(200);
    server.child.kill();
    expect(await server.exit()).toBe(0);
    log = server.err();
  });
  afterAll(async () => {
    await collector.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const named = (name: string): SentSpan => {
    const found = collector.spans.find((span) => span.name === name);
    if (found === undefined)
      throw new Error(`no span ${name} among ${collector.spans.map((each) => each.name).join(', ')}`);
    return found;
  };

  it('continue the trace of the client, and hold only what it records', () => {
    expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    const request = named('POST /xapi/statements');
    expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 });
    expect(
      ['http.request.method', 'http.route', 'http.response.status_code', 'url.path', 'url.scheme'].map(
        (name) => attributeOf(request, name),
      ),
    ).toEqual(['POST', '/xapi/statements', 200, '/xapi/statements', 'http']);
    expect(attributeOf(request, 'lrs.request_id')).toBe('request-4711');
    expect(attributeOf(request, 'lrs.key_pair')).toBe('traces-t…');
  });

  it('lead through admission and group commit to the statements of SQL', () => {
    const { spanId } = named('POST /xapi/statements');
    for (const part of ['admission', 'prepare', 'commit', 'group commit']) {
      expect(named(part).parentSpanId, part).toBe(spanId);
    }
    const sql = collector.spans.filter((span) => span.parentSpanId === named('group commit').spanId);
    expect(sql.map((span) => span.name)).toContain('BATCH');
    expect(attributeOf(named('BATCH'), 'db.system.name')).toBe('sqlite');
    const reads = collector.spans.filter(
      (span) => span.parentSpanId === named('GET /xapi/statements').spanId,
    );
    expect(reads.map((span) => attributeOf(span, 'db.query.text')).join()).toContain('FROM statement');
  });

  it('hold no secret, no query string and no value of SQL', () => {
    expect(collector.text()).not.toMatch(/traces-test|secret|4711!|only a value|a@b\.example/);
  });

  it('are sent with the configured headers, as metrics are', async () => {
    await collector.called('/v1/metrics');
    expect(new Set(collector.calls.map(([path]) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    expect(new Set(collector.calls.map(([, sent]) => sent))).toEqual(new Set(['Bearer collector-token']));
  });

  it('have their id in the log, beside that of the request', () => {
    const lines = log.split('\n').filter((line) => line.includes('"msg":"request"'));
    expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
      traceId,
      requestId: 'request-4711',
    });
  });
});
