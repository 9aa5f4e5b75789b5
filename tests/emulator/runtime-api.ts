import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** An invocation on its way to the runtime. */
export interface PendingInvocation {
  readonly id: string;
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly functionArn: string;
}

/** What the runtime does; each is told when it arrives. */
export interface RuntimeEvents {
  /** It waits for an invocation. */
  readonly onNext: () => void;
  /** The answer to the invocation that it has; `body` is complete only at its end. */
  readonly onResponse: (body: IncomingMessage) => void;
  readonly onError: (description: string) => void;
  readonly onInitError: (description: string) => void;
}

/** The Runtime API as one instance sees it. */
export interface RuntimeApi {
  /** `host:port`, the value of `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  /** Hands an invocation to the runtime, which must be waiting. */
  deliver(invocation: PendingInvocation): void;
  close(): void;
}

const base = '/2018-06-01/runtime';

/** Serves the protocol of https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html to one instance. */
export async function openRuntimeApi(events: RuntimeEvents): Promise<RuntimeApi> {
  let waiting: ServerResponse | undefined;
  let current: string | undefined;
  const server = createServer((request, response) => {
    // An instance that is killed takes its connection with it.
    request.on('error', () => undefined);
    const { method, url = '' } = request;
    const [, id, what] = /^\/invocation\/([^/]+)\/(response|error)$/.exec(url.slice(base.length)) ?? [];
    if (method === 'GET' && url === `${base}/invocation/next`) {
      waiting = response;
      events.onNext();
    } else if (method === 'POST' && url === `${base}/init/error`) {
      void textOf(request).then(events.onInitError, () => undefined);
      accept(response);
    } else if (method === 'POST' && id !== undefined && id === current) {
      current = undefined;
      if (what === 'response') {
        request.once('end', () => accept(response));
        events.onResponse(request);
      } else {
        void textOf(request).then(events.onError, () => undefined);
        accept(response);
      }
    } else {
      request.resume();
      response
        .writeHead(400, json)
        .end('{"errorType":"InvalidRequestID","errorMessage":"no such invocation"}');
    }
  });
  // A frozen runtime is silent for as long as it takes.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, timeout: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The Runtime API has no port.');
  return {
    address: `127.0.0.1:${address.port}`,
    deliver: ({ id, payload, deadline, functionArn }) => {
      if (waiting === undefined) throw new Error('The runtime does not wait for an invocation.');
      current = id;
      waiting.writeHead(200, {
        ...json,
        'Lambda-Runtime-Aws-Request-Id': id,
        'Lambda-Runtime-Deadline-Ms': String(deadline),
        'Lambda-Runtime-Invoked-Function-Arn': functionArn,
        'Lambda-Runtime-Trace-Id': `Root=1-${id.slice(0, 8)}-${id.replaceAll('-', '').slice(8)};Sampled=0`,
      });
      waiting.end(payload);
      waiting = undefined;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const json = { 'content-type': 'application/json' };

function accept(response: ServerResponse): void {
  response.writeHead(202, json).end('{"status":"OK"}');
}

/** The whole of a body as text. @throws when its sender ends before it is complete. */
export async function textOf(body: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
