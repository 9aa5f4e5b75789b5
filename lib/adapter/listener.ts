import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReader } from '../http/body.ts';
import type { GatewayEvent, GatewayResult } from '../http/gateways/index.ts';
import { giveWay } from '../in-turns.ts';
import { Turns } from '../turns.ts';
import { eventOf, targetOf } from './event.ts';
import type { Limits } from './limits.ts';
import type { Exchange } from './pipelining.ts';
import { hasBody, RequestBody } from './request-body.ts';
import { memoryOf } from './response-buffers.ts';
import { send } from './send.ts';

export type LambdaHandler = (event: GatewayEvent) => Promise<GatewayResult>;

export interface ListenerOptions {
  /** The handler of a request; the path is percent-encoded and without a query. */
  readonly route: (method: string, path: string) => LambdaHandler;
  readonly limits: Limits;
  /** Told of what no handler should let through. */
  readonly onFailure: (error: unknown) => void;
  /** Told of each connection that is refused, or closed for another, because of which limit. */
  readonly onRefused?: (limit: string) => void;
}

/** @param expectsContinue whether the client waits to be told to send the body. */
export type Listener = (
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue?: boolean,
) => void;

/** What a request is taken to cost at least, in bytes of a body. */
const leastWeight = 2048;
/** Some twenty single statements: of more in a row each costs hardly less, and an answer of the database waits as long. */
const weightPerTurn = 64 * 1024;
/** What is larger, or of unknown length, is worked off bit by bit, and begins with a slice of its own. */
const largestShared = 16 * 1024;

/** Turns each request into an event, calls its handler and sends what that gives. The handler asks for the body when it wants it. */
export function createListener(options: ListenerOptions): Listener {
  const { limits, onFailure } = options;
  const turns = new Turns(weightPerTurn);
  const route = async ({ message, response }: Exchange, readBody?: BodyReader): Promise<GatewayResult> => {
    const target = targetOf(message.url ?? '/');
    const responseMemory = memoryOf(response, limits.responses);
    const event = eventOf(message, target, { readBody, responseMemory });
    return options.route(message.method ?? '', target.path)(event);
  };

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    await turns.take(leastWeight);
    await send({ message, response }, await route({ message, response }), limits.responses);
  };

  const answerWithBody = async (
    message: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): Promise<void> => {
    const body = new RequestBody(message, response, { limits, expectsContinue });
    // A short body has mostly arrived by then, so that all steps of the request run one after another.
    const announced = Number(message.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    const isShort = announced <= largestShared;
    if (isShort) await turns.take(leastWeight + announced);
    let result: GatewayResult;
    try {
      result = await route({ message, response }, async (terms) => {
        const bytes = await body.read(terms);
        if (!isShort) await giveWay();
        return bytes;
      });
    } finally {
      body.release();
    }
    await send({ message, response }, result, limits.responses);
  };

  return (message, response, expectsContinue = false) => {
    const answered = hasBody(message)
      ? answerWithBody(message, response, expectsContinue)
      : answer(message, response);
    answered.catch((error: unknown) => {
      onFailure(error);
      response.destroy();
    });
  };
}
