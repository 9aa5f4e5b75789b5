import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { forLambda } from '../../../lib/http/gateways/lambda-result.ts';
import { openHandler } from '../../../lib/http/handler.ts';
import { jsonText } from '../../../lib/http/responses.ts';
import { createLogger } from '../../../lib/logger.ts';
import { type ClientRequest, clientAnswer, gatewayEvents } from '../../support/gateway-events.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

/** What Lambda takes as the JSON of a result. */
const lambdaLimit = 6_291_456;
const request: ClientRequest = { method: 'GET', path: '/xapi/statements' };

/** A JSON text of so many bytes, made of as many copies of the piece as fit. */
const jsonOf = (bytes: number, piece: string) =>
  JSON.stringify(piece.repeat(Math.floor((bytes - 2) / (JSON.stringify(piece).length - 2))));

describe.each(Object.entries(gatewayEvents))('a result for Lambda, by %s', (_, eventOf) => {
  const resultOf = (text: string) =>
    forLambda(
      openHandler(standInLrs(), async () => jsonText(200, text)),
      () => {},
    )(eventOf(request));

  it.each([
    ['letters', 'a'],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['control characters', '\u0001'],
  ])('fits with a page of 4 MB of %s and arrives unchanged', async (_, piece) => {
    const text = jsonOf(4_194_304, piece);
    const result = await resultOf(text);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(lambdaLimit);
    expect(clientAnswer(result).body.toString()).toBe(text);
  });

  it.each(['a', '"', 'é', '語', '😀'])('fits as the longest text that stays one: %s', async (piece) => {
    const text = JSON.stringify(piece.repeat(2_000_000)).slice(0, 2_000_000);
    const result = await resultOf(text);
    expect(result.isBase64Encoded).toBe(false);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(lambdaLimit);
  });
});

describe('a result for the Node adapter', () => {
  it('stays the text that it is, however long', async () => {
    const text = jsonOf(4_194_304, '"');
    const handler = openHandler(standInLrs(), async () => jsonText(200, text));
    const eventOf = gatewayEvents['HTTP API event (v2)'];
    const result = eventOf && (await handler(eventOf(request)));
    expect(result).toMatchObject({ body: text, isBase64Encoded: false });
  });
});

describe('the log of a function', () => {
  it('tells the ids of Lambda and of the gateway in every line of a call, and of no other', async () => {
    const lines: string[] = [];
    const logger = createLogger('INFO', { write: (line: string) => void lines.push(line) });
    const handler = forLambda(
      openHandler(standInLrs(), async () => {
        logger.info('within');
        return jsonText(200, '{}');
      }),
      () => {},
    );
    const eventOf = gatewayEvents['HTTP API event (v2)'];
    if (eventOf === undefined) throw new Error('there is no such event');
    const event = eventOf(request);
    Object.assign(event.requestContext, { requestId: 'from-the-gateway' });
    await handler(event, { awsRequestId: 'from-lambda' } as Context);
    logger.info('without');
    const [within, without] = lines.map((line) => JSON.parse(line));
    expect(within).toMatchObject({ awsRequestId: 'from-lambda', requestId: 'from-the-gateway' });
    expect(without).not.toHaveProperty('awsRequestId');
  });
});
