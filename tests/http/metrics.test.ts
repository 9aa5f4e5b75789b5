import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gauges, prometheusName, recorded } from '../../lib/telemetry/metrics.ts';
import { builtProgram } from '../support/built-program.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { newStatement } from '../support/statement-client.ts';

const token = 'a-token-for-metrics-4711';
const pair = { LRS_API_KEY_DEFAULT: 'metrics-test-key', LRS_API_SECRET_DEFAULT: 'metrics-test-secret' };
const account = { LRS_ADMIN_USER_DEFAULT: 'metrics-admin', LRS_ADMIN_PASS_DEFAULT: 'Metrics-admin-4711!' };
const headers = {
  authorization: `Basic ${btoa(`${pair.LRS_API_KEY_DEFAULT}:${pair.LRS_API_SECRET_DEFAULT}`)}`,
  'x-experience-api-version': '1.0.3',
  'content-type': 'application/json',
};
/** Only a database server has them. */
const ofServers: readonly string[] = [
  gauges.databaseConnections,
  gauges.databasePending,
  gauges.databaseServer,
  gauges.replicaLag,
  gauges.replicaUsed,
  gauges.replicaReads,
].map(prometheusName);

describe('the metrics of a server', () => {
  let directory: string;
  let server: ServerProcess;
  let origin: string;
  let text: string;

  const metrics = (at: string, authorization: string) =>
    fetch(`${at}/metrics`, { headers: { authorization } });
  const send = (statement: object) =>
    fetch(`${origin}/xapi/statements`, { method: 'POST', headers, body: JSON.stringify(statement) });

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lrs-metrics-'));
    server = startServerProcess({
      directory,
      program: builtProgram('serve'),
      env: { ...account, ...pair, LRS_METRICS_TOKEN: token, LRS_ENABLE_REACTIONS: 'true' },
    });
    origin = await server.origin();
    for (let count = 0; count < 3; count += 1) expect((await send(newStatement())).status).toBe(200);
    expect((await send({ actor: { mbox: 'nobody' } })).status).toBe(400);
    await fetch(`${origin}/nothing?token=secret-in-a-query`);
    text = await (await metrics(origin, `Bearer ${token}`)).text();
  });
  afterAll(async () => {
    server.child.kill();
    await server.exit();
    rmSync(directory, { recursive: true, force: true });
  });

  it('are all there that the documentation lists, each with its labels', () => {
    for (const metric of [...Object.values(recorded), ...Object.values(gauges)]) {
      const name = prometheusName(metric);
      if (ofServers.includes(name)) continue;
      const suffix = metric.kind === 'histogram' ? '_count' : '';
      const series = text.split('\n').find((line) => new RegExp(`^${name}${suffix}[ {]`).test(line));
      expect(series, name).toBeDefined();
      const required = metric.labels.filter((label) => label !== 'error.type');
      for (const label of required) expect(series).toContain(`${label.replaceAll('.', '_')}="`);
    }
  });

  it('count requests by route, status and key pair', () => {
    expect(text).toMatch(
      /^lrs_requests_total\{http_request_method="POST",http_route="\/xapi\/statements",http_response_status_code="200",lrs_key_pair="metrics-…"\} 3$/m,
    );
    expect(text).toMatch(/^lrs_requests_total\{.*http_route="\*",http_response_status_code="404".*\} 1$/m);
    expect(text).toMatch(/^lrs_statements_stored_total 3$/m);
    expect(text).toMatch(/^lrs_refusals_total\{lrs_code="invalid",lrs_rule="xAPI 1.0.3 Data 2.4.2.3"\} 1$/m);
  });

  it('hold neither secrets nor what stood in a query', () => {
    expect(text).not.toMatch(/metrics-test|secret-in-a-query|4711/);
  });

  it('are refused to a key pair', async () => {
    const refused = await metrics(origin, headers.authorization);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
  });
});

it('metrics of several processes are on one page, told apart by a label', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lrs-metrics-'));
  const env = { ...account, LRS_METRICS_TOKEN: token, LRS_DB_NAME: 'lrs.sqlite' };
  const server = startServerProcess({
    directory,
    program: builtProgram('serve'),
    env,
    args: ['--workers', '2'],
  });
  const authorization = `Bearer ${token}`;
  const page = await fetch(`${await server.origin()}/metrics`, { headers: { authorization } });
  const series = (await page.text()).split('\n').filter((line) => line.startsWith('lrs_statements_stored'));
  expect(series.toSorted()).toEqual([
    ...['lrs_statements_stored_total{worker="1"} 0', 'lrs_statements_stored_total{worker="2"} 0'],
  ]);
  server.child.kill();
  expect(await server.exit()).toBe(0);
  rmSync(directory, { recursive: true, force: true });
});

it('metrics with a port of their own are at no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lrs-metrics-'));
  const server = startServerProcess({
    directory,
    program: builtProgram('serve'),
    env: { ...account, LRS_METRICS_PORT: '0' },
  });
  const origins = [...(await server.firstLine()).matchAll(/https?:\/\/[^\s]+/g)].map(String);
  const [main = '', , own = ''] = origins;
  expect((await fetch(`${main}/metrics`)).status).toBe(404);
  expect(await (await fetch(`${own}/metrics`)).text()).toContain('lrs_statements_stored_total 0');
  server.child.kill();
  expect(await server.exit()).toBe(0);
  rmSync(directory, { recursive: true, force: true });
});
