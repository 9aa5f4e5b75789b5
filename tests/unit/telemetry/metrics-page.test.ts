import { afterEach, describe, expect, it } from 'vitest';
import { metricsHandlers, metricsPortHandler } from '../../../functions/ops/metrics.ts';
import { served } from '../../../lib/telemetry/metrics-page.ts';
import { callHandler } from '../../support/call-handler.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

const token = 'a token of metrics';
const page = (expected?: string) => ({ read: async () => 'up 1\n', token: expected });
const bearer = (given: string) => ({ headers: { authorization: `Bearer ${given}` } });

describe('the page of metrics', () => {
  afterEach(() => {
    served.page = undefined;
  });

  it('is not there while metrics are off', async () => {
    const { status, body } = await callHandler(metricsHandlers(standInLrs()).getMetrics, bearer('any'));
    expect([status, JSON.parse(body.toString()).error]).toEqual([
      404,
      expect.stringContaining('LRS_METRICS_TOKEN'),
    ]);
  });

  it.each([
    ['nothing', {}],
    ['another token', bearer('an0ther-token')],
    ['a longer one', bearer(`${token.replaceAll(' ', '-')}-and-more`)],
  ])('is refused to a request with %s', async (_, request) => {
    served.page = page(token.replaceAll(' ', '-'));
    expect((await callHandler(metricsHandlers(standInLrs()).getMetrics, request)).status).toBe(401);
  });

  it('is shown to a request with its token, in the text format of Prometheus', async () => {
    served.page = page('its-token');
    const answer = await callHandler(metricsHandlers(standInLrs()).getMetrics, bearer('its-token'));
    expect([answer.status, answer.headers['content-type'], answer.body.toString()]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'up 1\n',
    ]);
  });

  it('is only at its own port, where it has one, and needs no token there', async () => {
    served.page = page();
    const lrs = standInLrs({ LRS_METRICS_PORT: '0' });
    expect((await callHandler(metricsHandlers(lrs).getMetrics)).status).toBe(404);
    expect((await callHandler(metricsPortHandler(lrs))).status).toBe(200);
  });
});
