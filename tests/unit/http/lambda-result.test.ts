import { describe, expect, it } from 'vitest';
import { openDoor } from '../../../lib/http/door.ts';
import { forLambda } from '../../../lib/http/gateways/lambda-result.ts';
import { jsonText } from '../../../lib/http/responses.ts';
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
    forLambda(openDoor(standInLrs(), async () => jsonText(200, text)))(eventOf(request));

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
    const door = openDoor(standInLrs(), async () => jsonText(200, text));
    const eventOf = gatewayEvents['HTTP API event (v2)'];
    const result = eventOf && (await door(eventOf(request)));
    expect(result).toMatchObject({ body: text, isBase64Encoded: false });
  });
});
