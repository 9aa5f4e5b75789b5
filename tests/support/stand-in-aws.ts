import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface AwsRequest {
  /** The operation, e.g. `secretsmanager.GetSecretValue`. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server in the place of the JSON services of AWS, for one test. */
export async function standInAws(
  answer: (request: AwsRequest) => { readonly status?: number; readonly body: object },
): Promise<{ readonly requests: AwsRequest[]; readonly env: Readonly<Record<string, string>> }> {
  const requests: AwsRequest[] = [];
  const server = createServer(async (message, response) => {
    const request = {
      target: String(message.headers['x-amz-target']),
      headers: message.headers,
      body: JSON.parse((await text(message)) || '{}'),
    };
    requests.push(request);
    const { status = 200, body } = answer(request);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/`,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'stand-in',
      AWS_SESSION_TOKEN: 'session',
    },
  };
}
