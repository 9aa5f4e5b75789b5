import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditedAct, AuditedEnd, AuditService } from '../../../lib/audit/types.ts';
import { OutageError, UnavailableError } from '../../../lib/errors.ts';
import { adminHandler, downloadHandler, loginHandler, xapiHandler } from '../../../lib/http/handler.ts';
import { json, noContent } from '../../../lib/http/responses.ts';
import { callHandler } from '../../support/call-handler.ts';
import { gatewayEvents } from '../../support/gateway-events.ts';
import { account, basic, bearer, standInLrs } from '../../support/stand-in-lrs.ts';

type Written = AuditedAct & Partial<AuditedEnd>;

describe('the audit trail of a handler', () => {
  /** What the trail was told, in order. */
  let told: (readonly [method: string, entry: Written])[];
  let done: number;

  beforeEach(() => {
    told = [];
    done = 0;
  });

  const place = { at: 1, id: '3f0d8a0e-6f0b-4a57-8a1e-9d5c2b1a0f4e' };
  const tell = (method: string, entry: Written, isWritable: boolean) => {
    told.push([method, entry]);
    if (!isWritable) throw new UnavailableError('The database does not answer.');
    return place;
  };
  const auditThat = (isWritable: (method: string) => boolean): AuditService => ({
    begin: async (act) => tell('begin', act, isWritable('begin')),
    finish: async (_, act) => void tell('finish', act, isWritable('finish')),
    record: async (act) => tell('record', act, isWritable('record')),
    query: async () => ({ events: [], next: undefined }),
  });
  const lrsWhoseTrail = (isWritable: (method: string) => boolean) =>
    standInLrs({}, { audit: auditThat(isWritable) });
  const work = async () => {
    done += 1;
    return json(200, 'secret');
  };

  const admin = {
    path: '/admin/creds',
    headers: { authorization: bearer, 'content-type': 'application/json' },
  };
  const post = { ...admin, method: 'POST', body: '{}' };
  const xapi = {
    path: '/xapi/statements',
    headers: { authorization: basic, 'x-experience-api-version': '1.0.3', 'x-lrs-operator': bearer },
  };
  const outcomes = () => told.map(([method, { action, status }]) => [method, action, status]);

  it('has a change before it is made, and its outcome before it is answered', async () => {
    const handler = adminHandler(
      lrsWhoseTrail(() => true),
      async () => {
        expect(outcomes()).toEqual([['begin', 'POST /admin/creds', undefined]]);
        return work();
      },
    );
    expect((await callHandler(handler, post)).status).toBe(200);
    expect(outcomes()[1]).toEqual(['finish', 'POST /admin/creds', 200]);
  });

  it('keeps a change from being made when it cannot have it', async () => {
    const answer = await callHandler(
      adminHandler(
        lrsWhoseTrail(() => false),
        work,
      ),
      post,
    );
    expect([answer.status, done, told.length]).toEqual([503, 0, 1]);
    expect(answer.body.toString()).toContain('The audit trail cannot be written now');
    const actions = { POST: work };
    const store = xapiHandler(
      lrsWhoseTrail(() => false),
      'statements',
      { actions },
    );
    expect([(await callHandler(store, { ...xapi, method: 'POST' })).status, done]).toEqual([503, 0]);
  });

  it('says because of which outage it can not have a change', async () => {
    const cause = new OutageError('Nothing is stored at the moment: the commit waits.');
    const begin = () => Promise.reject(new UnavailableError('It may or may not be stored.', { cause }));
    const lrs = standInLrs({}, { audit: { ...auditThat(() => true), begin } });
    const { body } = await callHandler(adminHandler(lrs, work), post);
    expect(body.toString()).toContain(`so the request is not carried out. ${cause.message}`);
  });

  it('keeps what a change was when only its outcome cannot be written', async () => {
    const answer = await callHandler(
      adminHandler(
        lrsWhoseTrail((method) => method === 'begin'),
        work,
      ),
      post,
    );
    expect([answer.status, done]).toEqual([200, 1]);
    expect(told.map(([method]) => method)).toEqual(['begin', 'finish']);
  });

  it('keeps back what it cannot have the showing of, on the administration, the xAPI and the login', async () => {
    const lrs = lrsWhoseTrail(() => false);
    const login = loginHandler(lrs, async (call) => {
      call.account = account;
      return work();
    });
    const handlers = [
      await callHandler(adminHandler(lrs, work), admin),
      await callHandler(xapiHandler(lrs, 'statements', { actions: { GET: work } }), xapi),
      await callHandler(login, { ...post, path: '/admin/account/login' }),
    ];
    expect(done).toBe(3);
    for (const answer of handlers) {
      expect(answer.status).toBe(503);
      expect(answer.body.toString()).not.toContain('secret');
    }
  });

  it('asks nothing of requests to the xAPI that are no operator’s', async () => {
    const { 'x-lrs-operator': _, ...headers } = xapi.headers;
    const handler = xapiHandler(
      lrsWhoseTrail(() => false),
      'statements',
      { actions: { GET: work, POST: work } },
    );
    expect((await callHandler(handler, { ...xapi, headers })).status).toBe(200);
    expect((await callHandler(handler, { ...xapi, headers, method: 'POST' })).status).toBe(200);
    expect(told).toEqual([]);
  });

  it('leaves out lists that show nothing', async () => {
    const handler = xapiHandler(
      lrsWhoseTrail(() => true),
      'statements',
      {
        actions: {
          GET: async (call) => {
            call.isEmpty = true;
            return noContent();
          },
        },
      },
    );
    await callHandler(handler, xapi);
    expect(told).toEqual([]);
  });

  describe('of a download', () => {
    async function* rows() {
      for (let row = 0; row < 3; row += 1) {
        done += 1;
        yield `${row}\n`;
      }
    }
    async function streamOf(isWritable: (method: string) => boolean) {
      const handler = downloadHandler(
        lrsWhoseTrail(isWritable),
        async (call) => {
          call.counts = () => ({ rows: done });
          return { statusCode: 200, headers: {}, stream: rows() };
        },
        { reserve: () => undefined, note: () => undefined, begins: () => true },
      );
      const event = gatewayEvents['HTTP API event (v2)']?.({ method: 'GET', ...admin, path: '/admin/csv' });
      const answer =
        event === undefined ? undefined : await handler({ ...event, streams: true } as typeof event);
      if (answer === undefined || !('stream' in answer) || answer.stream === undefined)
        throw new Error('no stream');
      return answer.stream[Symbol.asyncIterator]();
    }
    it('has none for which there is no room, which is answered 503 with Retry-After', async () => {
      const handler = downloadHandler(
        lrsWhoseTrail(() => true),
        async () => work(),
        {
          reserve: () => {
            throw new UnavailableError('There are as many exports as there may be.');
          },
          note: () => undefined,
          begins: () => true,
        },
      );
      const answer = await callHandler(handler, { method: 'GET', ...admin, path: '/admin/csv' });
      expect([answer.status, answer.headers['retry-after'], done, told]).toEqual([503, '1', 0, []]);
    });

    const ends = () =>
      told.map(([method, { status, counts, interrupted }]) => [method, status, counts, interrupted]);

    it('has it when it begins, and with its rows before its end is sent', async () => {
      const stream = await streamOf(() => true);
      expect(ends()).toEqual([['begin', undefined, undefined, undefined]]);
      while (!(await stream.next()).done);
      expect(ends()[1]).toEqual(['finish', 200, { rows: 3 }, false]);
    });

    it('has it as interrupted, with the rows until then, when the client goes away', async () => {
      const stream = await streamOf(() => true);
      await stream.next();
      await stream.next();
      await stream.return?.();
      expect(ends()[1]).toMatchObject(['finish', 200, { rows: 2 }, true]);
    });

    it('has it as interrupted, without rows, when the client has gone away before it began', async () => {
      const stream = await streamOf(() => true);
      await stream.return?.();
      expect(ends()[1]).toMatchObject(['finish', 200, { rows: 0 }, true]);
      expect(ends()).toHaveLength(2);
    });
  });
});
