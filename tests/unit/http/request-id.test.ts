import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { AuditedAct, AuditService } from '../../../lib/audit/types.ts';
import { callOf } from '../../../lib/http/gateways/lambda-result.ts';
import { adminHandler, openHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { createLogger } from '../../../lib/logger.ts';
import { callHandler } from '../../support/call-handler.ts';
import { clientAnswer, gatewayEvents } from '../../support/gateway-events.ts';
import { bearer, standInLrs } from '../../support/stand-in-lrs.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const handler = openHandler(standInLrs(), async () => json(200, {}));
const idFor = async (header?: string) => {
  const { headers } = await callHandler(handler, {
    headers: header === undefined ? {} : { 'x-request-id': header },
  });
  return headers['x-request-id'];
};

describe('the id of a request', () => {
  it.each(['42', 'client:7f/a+b=', 'a'.repeat(128)])('is that of the client: %s', async (id) => {
    expect(await idFor(id)).toBe(id);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a space', 'a b'],
    ['a quote', 'a"b'],
    ['a line break', 'a\r\nSet-Cookie: b'],
    ['a letter outside of ASCII', 'é'],
    ['two headers', 'a, b'],
    ['more than 128 characters', 'a'.repeat(129)],
  ])('is a new one where the client sends %s', async (_, header) => {
    expect(await idFor(header)).toMatch(uuid);
    expect(await idFor(header)).not.toBe(await idFor(header));
  });

  it('stands in the response to an error, and in the lines of the log about it', async () => {
    const lines: string[] = [];
    const logger = createLogger('DEBUG', { write: (line: string) => void lines.push(line) });
    const failing = openHandler(standInLrs({}, { logger }), async () => {
      throw new Error('a bug');
    });
    const { status, headers } = await callHandler(failing, { headers: { 'x-request-id': 'mine' } });
    expect([status, headers['x-request-id']]).toEqual([500, 'mine']);
    expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(['mine', 'mine']);
  });

  it('stands in the audit trail', async () => {
    const told: AuditedAct[] = [];
    const audit: AuditService = {
      begin: async () => ({ at: 1, id: '' }),
      finish: async () => {},
      record: async (act) => {
        told.push(act);
        return { at: 1, id: '' };
      },
      query: async () => ({ events: [], next: undefined }),
    };
    const audited = adminHandler(standInLrs({}, { audit }), async () => json(200, []));
    const headers = { authorization: bearer, 'x-request-id': 'mine' };
    await callHandler(audited, { path: '/admin/creds', headers });
    expect(told).toMatchObject([{ requestId: 'mine' }]);
  });

  it('may be read by pages of another origin', async () => {
    const origin = 'https://learn.example.org';
    const open = openHandler(standInLrs({ LRS_ALLOWED_ORIGINS: origin }), async () => json(200, {}));
    const { headers } = await callHandler(open, { headers: { origin } });
    expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
  });
});

describe.each(Object.entries(gatewayEvents))('the id of a request on Lambda, by %s', (name, eventOf) => {
  const hasId = !name.startsWith('load balancer');
  const context = { awsRequestId: 'from-lambda' } as Context;
  const eventWith = (headers: Record<string, string>) => {
    const event = eventOf({ method: 'GET', path: '/xapi/statements', headers });
    if (hasId) Object.assign(event.requestContext, { requestId: 'from-the-gateway' });
    return event;
  };
  const answered = async (headers: Record<string, string>) => {
    const result = await handler(eventWith(headers), context);
    return clientAnswer(result).headers['x-request-id'];
  };

  it('is that of the gateway, or of Lambda where the gateway has none', async () => {
    expect(await answered({})).toBe(hasId ? 'from-the-gateway' : 'from-lambda');
  });

  it('is that of the client before both, and the log tells all of them', async () => {
    const headers = { 'X-Request-Id': 'mine' };
    expect(await answered(headers)).toBe('mine');
    expect(callOf(eventWith(headers), context)).toEqual({
      awsRequestId: 'from-lambda',
      requestId: 'mine',
      ...(hasId && { gatewayRequestId: 'from-the-gateway' }),
    });
  });
});
