import { describe, expect, it } from 'vitest';
import { xapiHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { callHandler, jsonOf } from '../../support/call-handler.ts';
import { basic, standInLrs } from '../../support/stand-in-lrs.ts';

const echo = xapiHandler(standInLrs(), 'statements', {
  actions: {
    PUT: async ({ query, body }) => json(200, { query: [...query], body: body.toString() }),
  },
});

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  callHandler(echo, {
    method: 'POST',
    query: 'method=PUT',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

const known = `Authorization=${encodeURIComponent(basic)}&X-Experience-API-Version=1.0.3`;
const stranger = `Authorization=${encodeURIComponent(`Basic ${btoa('key:wrong')}`)}&X-Experience-API-Version=1.0.3`;

describe('a form in the alternate request syntax (xAPI 1.0.3 Communication 1.3)', () => {
  it('of a stranger is refused before its content and parameters are decoded', async () => {
    for (const rest of ['content=%zz', 'statementId=%zz', `${'a'.repeat(200)}%zz=1`]) {
      const answer = await post(`${rest}&${stranger}`);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(/Basic/),
      ]);
      expect((await post(`${rest}&${known}`)).status).toBe(400);
    }
  });

  it('names the version of the form when it is refused', async () => {
    const answer = await post(`content=1&${stranger}`);
    expect(answer.headers['x-experience-api-version']).toBe('1.0.3');
  });

  it('takes apart names and values as forms are encoded', async () => {
    const answer = await post(`&${known}&a%20b=c+d%26&&e&=f&content=1%2B1=2+`);
    expect(jsonOf(answer)).toEqual({
      query: [
        ['a b', 'c d&'],
        ['e', ''],
        ['', 'f'],
      ],
      body: '1+1=2 ',
    });
  });

  it('knows headers in any letter case and encoding of their names', async () => {
    const answer = await post(known.replace('Authorization', 'AUTH%4Frization').concat('&content='));
    expect(jsonOf(answer)).toEqual({ query: [], body: '' });
  });

  it('lets other work run while a large content is decoded', async () => {
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    const answer = await post(`${known}&content=${'%C3%A4+'.repeat(300_000)}`);
    clearImmediate(counting);
    expect(jsonOf(answer)).toEqual({ query: [], body: 'ä '.repeat(300_000) });
    expect(turns).toBeGreaterThan(12);
  });

  it.each([
    ['more than 100 parameters', `${known}&content=1${'&a=1'.repeat(100)}`],
    ['a header that no header could be', `${known}&content=1&If-Match=${'x'.repeat(20_000)}`],
    ['parameters of more than 256 kB', `${known}&content=1&agent=${'%7B'.repeat(100_000)}`],
    ['a content that ends inside an encoded byte', `${known}&content=a%4`],
    ['a content whose encoded bytes are not UTF-8', `${known}&content=%C3%28`],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff])],
  ])('is refused with %s', async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });
});
