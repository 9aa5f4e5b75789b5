import { describe, expect, it } from 'vitest';
import { readGatewayEvent } from '../../../lib/http/gateways/index.ts';
import { clientAnswer, gatewayEvents } from '../../support/gateway-events.ts';

const bytes = Buffer.from([0, 255, 13, 10, 128]);

describe.each(Object.entries(gatewayEvents))('%s', (_, eventOf) => {
  it('is read as the request that the client made', () => {
    const { request } = readGatewayEvent(
      eventOf({
        method: 'POST',
        path: '/xapi/statements',
        query: 'a=1%202&b=%C3%A9',
        headers: { 'content-type': 'application/json', 'x-experience-api-version': '1.0.3' },
        body: '{"é":1}',
      }),
    );
    expect(request.method).toBe('POST');
    expect(request.path).toBe('/xapi/statements');
    expect(Object.fromEntries(new URLSearchParams(queryOf(request.query)))).toEqual({ a: '1 2', b: 'é' });
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.headers['x-experience-api-version']).toBe('1.0.3');
    expect(request.headers.host).toBe('lrs.example.org');
    expect(request.body.toString('utf8')).toBe('{"é":1}');
    expect(request.client).toBe('203.0.113.7');
  });

  it('gives bytes unchanged in both directions', () => {
    const event = eventOf({ method: 'PUT', path: '/x', body: bytes });
    const { request, write } = readGatewayEvent(event);
    expect(request.body).toEqual(bytes);
    const answer = clientAnswer(
      write({ statusCode: 200, headers: { 'Content-Type': 'image/png' }, body: bytes }),
    );
    expect(answer).toEqual({ status: 200, headers: { 'content-type': 'image/png' }, body: bytes });
  });

  it('sends text as text', () => {
    const { write } = readGatewayEvent(eventOf({ method: 'GET', path: '/x' }));
    const result = write({ statusCode: 404, headers: {}, body: 'é' });
    expect(result).toMatchObject({ statusCode: 404, body: 'é', isBase64Encoded: false });
  });

  it('has an empty body when the client sent none', () => {
    expect(readGatewayEvent(eventOf({ method: 'GET', path: '/x' })).request.body).toHaveLength(0);
  });
});

it('an event that streams gets bytes as they are, and text as text', () => {
  const { write } = readGatewayEvent({
    version: '2.0',
    rawPath: '/x',
    isBase64Encoded: false,
    streams: true,
    requestContext: { stage: '$default', http: { method: 'GET', sourceIp: '203.0.113.7' } },
  });
  const body = Buffer.from([0, 255]);
  expect(write({ statusCode: 200, headers: {}, body })).toEqual({
    statusCode: 200,
    headers: {},
    bytes: body,
  });
  expect(write({ statusCode: 200, headers: {}, body: 'é' })).toMatchObject({ body: 'é' });
});

it('an HTTP API event without headers and query is read as a request without them', () => {
  const { request } = readGatewayEvent({
    version: '2.0',
    rawPath: '/health',
    isBase64Encoded: false,
    requestContext: { stage: '$default', http: { method: 'GET', sourceIp: '203.0.113.7' } },
  });
  expect(request).toMatchObject({ path: '/health', headers: {}, query: '' });
});

/** Without multi-value headers the load balancer keeps one value of a repeated parameter. */
const keepingAll = Object.entries(gatewayEvents).filter(([name]) => name !== 'load balancer event');

it.each(keepingAll)('%s keeps a parameter that is repeated', (_, eventOf) => {
  const { request } = readGatewayEvent(eventOf({ method: 'GET', path: '/x', query: 'a=1&a=2' }));
  expect(new URLSearchParams(queryOf(request.query)).getAll('a')).toEqual(['1', '2']);
});

describe('the stage of a gateway', () => {
  it('is no part of the path but of the address outside (REST API)', () => {
    const { request } = readGatewayEvent({
      httpMethod: 'GET',
      path: '/xapi/statements',
      headers: null as never,
      multiValueHeaders: null as never,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
      isBase64Encoded: false,
      requestContext: { path: '/dev/xapi/statements' },
    });
    expect([request.path, request.externalPath]).toEqual(['/xapi/statements', '/dev/xapi/statements']);
    expect(request.headers).toEqual({});
  });

  it('is no part of the path but of the address outside (HTTP API)', () => {
    const { request } = readGatewayEvent({
      version: '2.0',
      rawPath: '/dev/xapi/statements',
      rawQueryString: '',
      headers: { Authorization: 'Basic x' },
      requestContext: { stage: 'dev', http: { method: 'GET', sourceIp: '203.0.113.7' } },
      isBase64Encoded: false,
    });
    expect([request.path, request.externalPath]).toEqual(['/xapi/statements', '/dev/xapi/statements']);
    expect(request.headers).toEqual({ authorization: 'Basic x' });
  });

  it.each([
    ['/dev', '/'],
    ['/dev/', '/'],
    ['/develop', '/develop'],
  ])('%s is the path %s of the stage dev', (rawPath, path) => {
    const { request } = readGatewayEvent({
      version: '2.0',
      rawPath,
      requestContext: { stage: 'dev', http: { method: 'GET', sourceIp: '203.0.113.7' } },
      isBase64Encoded: false,
    });
    expect([request.path, request.externalPath]).toEqual([path, rawPath]);
  });
});

describe('a load balancer event', () => {
  it('is answered with multi-value headers exactly when it has them', () => {
    const base = {
      requestContext: { elb: {} },
      httpMethod: 'GET',
      path: '/',
      body: '',
      isBase64Encoded: false,
    };
    const response = { statusCode: 204, headers: { ETag: '"1"' } };
    expect(readGatewayEvent({ ...base, multiValueHeaders: { host: ['h'] } }).write(response)).toMatchObject({
      multiValueHeaders: { ETag: ['"1"'] },
    });
    expect(readGatewayEvent({ ...base, headers: { host: 'h' } }).write(response)).toMatchObject({
      headers: { ETag: '"1"' },
    });
  });

  it('has repeated headers joined by a comma', () => {
    const { request } = readGatewayEvent({
      requestContext: { elb: {} },
      httpMethod: 'GET',
      path: '/',
      body: '',
      isBase64Encoded: false,
      multiValueHeaders: { Accept: ['text/html', 'application/json'] },
    });
    expect(request.headers.accept).toBe('text/html, application/json');
  });
});

const queryOf = (query: string | readonly [string, string][]): string | [string, string][] =>
  typeof query === 'string' ? query : [...query];
