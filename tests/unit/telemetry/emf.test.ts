import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { forLambda } from '../../../lib/http/gateways/lambda-result.ts';
import { type Handler, xapiHandler } from '../../../lib/http/handler.ts';
import { observed } from '../../../lib/http/observed.ts';
import { json } from '../../../lib/http/responses.ts';
import { emfMetrics, startEmf } from '../../../lib/telemetry/emf.ts';
import { groupCommitted, measureDatabase, measureInto } from '../../../lib/telemetry/measure.ts';
import { callHandler } from '../../support/call-handler.ts';
import { basic, standInLrs } from '../../support/stand-in-lrs.ts';

const headers = { authorization: basic, 'x-experience-api-version': '1.0.3', 'x-request-id': 'mine' };

describe('a line in the Embedded Metric Format', () => {
  let lines: Record<string, unknown>[];
  beforeEach(() => {
    lines = [];
    startEmf('learning', (line) => void lines.push(JSON.parse(line)));
  });
  afterEach(() => measureInto(undefined));

  const functionThat = (GET: () => Promise<void>): Handler => {
    const action = async () => {
      await GET();
      return json(200, {});
    };
    const handler = xapiHandler(standInLrs(), 'statements', { actions: { GET: action } });
    return forLambda(observed({ method: 'GET', route: '/xapi/statements' }, handler), () => {});
  };

  it('tells of one request what CloudWatch counts, and what finds it in the log', async () => {
    const storing = functionThat(async () => {
      await measureDatabase('batch', Promise.resolve());
      groupCommitted(1, 3, performance.now());
    });
    await callHandler(storing, { headers, query: 'agent=secret-in-a-query' });
    await callHandler(storing, { headers });
    expect(lines).toHaveLength(2);
    const [first, second] = lines;
    expect(first).toMatchObject({
      ...{ Route: 'GET /xapi/statements', status: 200, keyPair: 'key…', requestId: 'mine' },
      ...{ Requests: 1, Statements: 3, ColdStarts: 1, Duration: expect.any(Number) },
    });
    expect(second).not.toHaveProperty('ColdStarts');
    expect(JSON.stringify(lines)).not.toMatch(/secret|se:cret/);
  });

  it('describes exactly the numbers that it has, in sum and by route', async () => {
    const refusing = functionThat(async () => {
      throw new InvalidError('no', { details: [{ path: 'a', message: 'b', section: 'Data 2.4' }] });
    });
    await callHandler(refusing, { headers });
    const [{ _aws: metadata, ...values } = {}] = lines;
    expect(values).toMatchObject({ status: 400, ClientErrors: 1, code: 'invalid', rule: 'Data 2.4' });
    const names = Object.keys(values).filter((name) => name in emfMetrics);
    const Metrics = names.map((Name) => ({ Name, Unit: emfMetrics[Name] }));
    expect(metadata).toEqual({
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        { Namespace: 'learning', Dimensions: [[], ['Route']], Metrics: expect.arrayContaining(Metrics) },
      ],
    });
  });
});

it('the page about monitoring lists the metrics of CloudWatch', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
  for (const name of Object.keys(emfMetrics)) expect(page).toContain(`\`${name}\``);
});
