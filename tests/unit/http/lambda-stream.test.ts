import { createRequire } from 'node:module';
import { PassThrough, type Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type StreamingRuntime, streamed } from '../../../lib/http/gateways/lambda-stream.ts';
import type { Handler } from '../../../lib/http/handler.ts';
import { gatewayEvents } from '../../support/gateway-events.ts';

const require = createRequire(import.meta.url);
/** AWS's own code, of which serverless-offline brings a copy. */
const {
  HttpResponseStream,
} = require('../../../node_modules/serverless-offline/src/lambda/handler-runner/in-process-runner/aws-lambda-ric/HttpResponseStream.js');

/** The stream of Lambda's runtime: it calls back before its first bytes, and has a type. */
class AnswerStream extends PassThrough {
  type: string | undefined;
  _onBeforeFirstWrite: ((write: (head: string | Uint8Array) => void) => void) | undefined;

  setContentType(type: string): void {
    this.type = type;
  }

  override _write(...[chunk, encoding, done]: Parameters<PassThrough['_write']>): void {
    this._onBeforeFirstWrite?.((head) => this.push(head));
    this._onBeforeFirstWrite = undefined;
    super._write(chunk, encoding, done);
  }
}

/** What goes over the wire when Lambda calls the function. */
async function invoke(handler: Handler): Promise<{ head: unknown; body: string }> {
  let respond: Parameters<StreamingRuntime['streamifyResponse']>[0] | undefined;
  const runtime: StreamingRuntime = {
    HttpResponseStream,
    streamifyResponse(given) {
      respond = given;
      return handler;
    },
  };
  streamed(handler, runtime, () => {});
  const answer = new AnswerStream();
  const event = gatewayEvents['function URL event (v2)']?.({ method: 'GET', path: '/admin/csv' });
  const responding = respond?.(event as never, answer as Writable, {} as never);
  const [chunks] = await Promise.all([answer.toArray(), responding]);
  const sent = Buffer.concat(chunks);
  expect(answer.type).toBe('application/vnd.awslambda.http-integration-response');
  const end = sent.indexOf(Buffer.alloc(8));
  return { head: JSON.parse(sent.subarray(0, end).toString()), body: sent.subarray(end + 8).toString() };
}

describe('a handler that streams on Lambda', () => {
  const headers = { 'Content-Type': 'text/csv' };

  it('is told so by the event, and sends status and headers before the pieces', async () => {
    async function* pieces() {
      yield 'é,';
      yield 'b\r\n';
    }
    const handler: Handler = async (event) => {
      expect(event).toMatchObject({ streams: true });
      return { statusCode: 200, headers, stream: pieces() };
    };
    expect(await invoke(handler)).toEqual({ head: { statusCode: 200, headers }, body: 'é,b\r\n' });
  });

  it('sends answers that are no streams the same way', async () => {
    const handler: Handler = async () => ({ statusCode: 401, headers, body: '{"error":"é"}' });
    expect(await invoke(handler)).toEqual({ head: { statusCode: 401, headers }, body: '{"error":"é"}' });
    const encoded: Handler = async () => ({ statusCode: 200, headers, body: 'w6k=', isBase64Encoded: true });
    expect((await invoke(encoded)).body).toBe('é');
    const bytes = Buffer.from('é');
    const direct: Handler = async () => ({ statusCode: 200, headers, bytes });
    expect((await invoke(direct)).body).toBe('é');
  });

  it('fails as the pieces do, so that nobody takes the answer for whole', async () => {
    async function* pieces() {
      yield 'a';
      throw new Error('the disk is gone');
    }
    const failing: Handler = async () => ({ statusCode: 200, headers, stream: pieces() });
    await expect(invoke(failing)).rejects.toThrow();
  });

  it('stays as it is outside of Lambda', () => {
    const handler: Handler = async () => ({ statusCode: 200 });
    expect(streamed(handler, undefined, () => {})).toBe(handler);
  });
});
