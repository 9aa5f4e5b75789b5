import type { GatewayEvent, GatewayResult } from '../../lib/http/gateways/index.ts';

/** A request as a client makes it, and the answer as it sees it. */
export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  /** As it stands in the address, without the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface ClientAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The events that AWS makes of a request, by kind of gateway. */
export const gatewayEvents: Readonly<Record<string, (request: ClientRequest) => GatewayEvent>> = {
  'REST API event (v1)': restV1Event,
  'HTTP API event (v2)': (request) =>
    httpV2Event(request, 'abcdefghij.execute-api.eu-central-1.amazonaws.com'),
  'function URL event (v2)': (request) => httpV2Event(request, 'abcdefghij.lambda-url.eu-central-1.on.aws'),
  'load balancer event': albEvent,
  'load balancer event with multi-value headers': albMultiValueEvent,
};

/** What the client would see of a result. */
export function clientAnswer(result: GatewayResult): ClientAnswer {
  const single = Object.entries(result.headers ?? {});
  const multiple = 'multiValueHeaders' in result ? Object.entries(result.multiValueHeaders ?? {}) : [];
  const headers = [...single, ...multiple.map(([name, values]) => [name, values.join(', ')] as const)];
  return {
    status: result.statusCode ?? 200,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

const host = 'lrs.example.org';

function restV1Event(request: ClientRequest): GatewayEvent {
  const headers = { Host: host, 'X-Forwarded-For': '203.0.113.7', ...titleCase(request.headers) };
  const pairs = new URLSearchParams(request.query);
  const names = [...new Set(pairs.keys())];
  return {
    httpMethod: request.method,
    path: request.path,
    headers,
    multiValueHeaders: listed(headers),
    queryStringParameters: names.length === 0 ? null : Object.fromEntries(pairs),
    multiValueQueryStringParameters:
      names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, pairs.getAll(name)])),
    requestContext: { path: `/dev${request.path}`, identity: { sourceIp: '203.0.113.7' } },
    ...encoded(request),
  };
}

function httpV2Event(request: ClientRequest, domainName: string): GatewayEvent {
  const http = { method: request.method, path: request.path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7' };
  const { body, isBase64Encoded } = encoded(request);
  return {
    version: '2.0',
    rawPath: request.path,
    rawQueryString: request.query ?? '',
    headers: { host, ...request.headers },
    requestContext: { ...{ domainName, routeKey: '$default' }, stage: '$default', http },
    ...(body !== null && { body }),
    isBase64Encoded,
  };
}

function albEvent(request: ClientRequest): GatewayEvent {
  return {
    ...albCommon(request),
    headers: { host, 'x-forwarded-for': '203.0.113.7', ...request.headers },
    queryStringParameters: Object.fromEntries(rawPairs(request.query)),
  };
}

function albMultiValueEvent(request: ClientRequest): GatewayEvent {
  const pairs = rawPairs(request.query);
  const values = (name: string): string[] => pairs.filter(([key]) => key === name).map(([, value]) => value);
  return {
    ...albCommon(request),
    multiValueHeaders: listed({ host, 'x-forwarded-for': '203.0.113.7', ...request.headers }),
    multiValueQueryStringParameters: Object.fromEntries(pairs.map(([name]) => [name, values(name)])),
  };
}

function albCommon(request: ClientRequest) {
  const targetGroupArn =
    'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/lrs/0123456789abcdef';
  return {
    requestContext: { elb: { targetGroupArn } },
    httpMethod: request.method,
    path: request.path,
    ...encoded(request),
    body: encoded(request).body ?? '',
  };
}

/** The load balancer splits the query but leaves its encoding alone. */
function rawPairs(query = ''): [string, string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => [pair.split('=')[0] ?? '', pair.split('=').slice(1).join('=')]);
}

function encoded({ body }: ClientRequest): { body: string | null; isBase64Encoded: boolean } {
  if (body === undefined) return { body: null, isBase64Encoded: false };
  return typeof body === 'string'
    ? { body, isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
}

/** This gateway keeps the case in which most clients write header names. */
function titleCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const cased = Object.entries(headers).map(([name, value]) => [
    name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(cased);
}

function listed(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}
