import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly text: string;
  /** By HTTPS only. */
  readonly certificate: Certificate | undefined;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

interface Certificate {
  readonly protocol: string;
  /** Why it is not trusted. */
  readonly error: string | undefined;
  readonly validTo: string;
}

const patience = 15_000;
const longestText = 10_000;

/** One request on a connection of its own; redirects are not followed. A certificate is looked at, whether trusted or not. */
export function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  const sentAt = Date.now();
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const options = {
    method,
    headers: { ...headers, ...length },
    agent: false,
    signal: AbortSignal.timeout(patience),
  };
  return new Promise((resolve, reject) => {
    const receive = (message: IncomingMessage): void => {
      const receivedAt = Date.now();
      const certificate = certificateOf(message);
      let text = '';
      message.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < longestText) text += chunk;
      });
      const finish = (): void => {
        const { statusCode: status = 0 } = message;
        resolve({ status, headers: message.headers, text, certificate, sentAt, receivedAt });
      };
      message.on('end', finish).on('error', reject);
    };
    const request = url.startsWith('https:')
      ? httpsRequest(url, { ...options, rejectUnauthorized: false }, receive)
      : httpRequest(url, options, receive);
    // A server that refuses a body may answer before it has taken all of it; what breaks after the answer does not count.
    request.on('error', reject);
    request.end(body);
  });
}

function certificateOf({ socket }: IncomingMessage): Certificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { authorized, authorizationError } = socket;
  return {
    protocol: socket.getProtocol() ?? '',
    error: authorized ? undefined : String(authorizationError),
    validTo: socket.getPeerCertificate().valid_to,
  };
}
