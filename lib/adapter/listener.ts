import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReader } from '../http/body.ts';
import type { GatewayEvent, GatewayResult } from '../http/gateways/index.ts';
import { giveWay } from '../in-turns.ts';
import { Turns } from '../turns.ts';
import type { ConnectionLimit } from './connections.ts';
import { eventOf, targetOf } from './event.ts';
import type { Limits } from './limits.ts';
import type { Exchange } from './pipelining.ts';
import type { RefusalHeaders } from './refusals.ts';
import { hasBody, RequestBody } from './request-body.ts';
import { memoryOf } from './response-buffers.ts';
import { send } from './send.ts';

export type LambdaHandler = (event: GatewayEvent) => Promise<GatewayResult>;

export interface ListenerOptions {
  /** The handler of a request; the path is percent-encoded and without a query. */
  readonly route: (method: string, path: string) => LambdaHandler;
  readonly limits: Limits;
  /** Whether requests by HTTPS have to be for a host that the certificate names. */
  readonly checksHost?: boolean;
  readonly refusalHeaders?: RefusalHeaders;
  /** Called with errors that no handler should throw. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each connection that a limit refuses, or closes for another one. */
  readonly onRefused?: (limit: ConnectionLimit) => void;
}

/** @param expectsContinue whether the client waits for 100 Continue before it sends the body. */
export type Listener = (
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue?: boolean,
) => void;

/** The smallest assumed cost of a request, in bytes of a body. */
const leastWeight = 2048;
/** About twenty single statements per turn: more gain hardly anything, and responses of the database wait longer. */
const weightPerTurn = 64 * 1024;
/** A larger body, or one of unknown length, is processed in slices, so it counts with its first slice only. */
const largestShared = 16 * 1024;

/** Converts each request to an event, calls its handler and sends the result. The handler reads the body on demand. */
export function createListener(options: ListenerOptions): Listener {
  const { limits, onFailure } = options;
  const turns = new Turns(weightPerTurn);
  const route = ({ message, response }: Exchange, readBody?: BodyReader): Promise<GatewayResult> => {
    const target = targetOf(message.url ?? '/');
    const responseMemory = memoryOf(response, limits.responses);
    const event = eventOf(message, target, { readBody, responseMemory });
    return options.route(message.method ?? '', target.path)(event);
  };

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    await turns.take(leastWeight);
    if (response.destroyed) return;
    await send({ message, response }, await route({ message, response }), limits.responses);
  };

  const answerWithBody = async (
    message: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): Promise<void> => {
    const body = new RequestBody(message, response, { limits, expectsContinue });
    // A short body has usually arrived by then, so that all steps of the request run without waiting.
    const announced = Number(message.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    const isShort = announced <= largestShared;
    if (isShort) await turns.take(leastWeight + announced);
    let result: GatewayResult;
    try {
      const readInTurn: BodyReader = async (terms) => {
        const bytes = await body.read(terms);
        await giveWay();
        return bytes;
      };
      result = await route({ message, response }, isShort ? (terms) => body.read(terms) : readInTurn);
    } finally {
      body.release();
    }
    await send({ message, response }, result, limits.responses);
  };

  return (message, response, expectsContinue = false) => {
    const answered = hasBody(message)
      ? answerWithBody(message, response, expectsContinue)
      : answer(message, response);
    const end = () => limits.responses.endHandler(response);
    answered.then(end, (error: unknown) => {
      onFailure(error);
      response.destroy();
      end();
    });
  };
}
