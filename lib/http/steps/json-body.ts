import type { MiddlewareObj, Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { InvalidError } from '../../errors.ts';
import { parseJson, refuseUnstorable, scanJson } from '../../json/json.ts';
import type { JsonObject } from '../../json/types.ts';
import type { AdminCall, Step } from '../call.ts';

interface ParserEvent {
  readonly headers: Readonly<Record<string, string>>;
  /** Text before, the parsed value after. */
  body: unknown;
}

/**
 * Parses the body of an administration call, which has to be a JSON object; GET may go without, and where it is `optional`
 * other methods too. Middy's parser checks the Content-Type and parses. Where it answers 415 with one text for everything, we
 * answer 400 and say what is wrong. What `parseJson` refuses in the body of a statement is refused here too.
 */
export function jsonBody({ optional = false }: { readonly optional?: boolean } = {}): Step<AdminCall> {
  // Middy's types want a whole gateway event; the parser reads headers and body.
  const parser = httpJsonBodyParser() as MiddlewareObj<ParserEvent>;
  const jsonBodyBefore = async ({ event, ...request }: Request<AdminCall>): Promise<void> => {
    if (event.body.length === 0) {
      if (optional || event.method === 'GET') return;
      throw new InvalidError('The request body is missing; it must be a JSON object.');
    }
    const piece = scanJson(event.body);
    const text = event.body.toString('utf8');
    const parsed: ParserEvent = { headers: { 'content-type': contentType(event) }, body: text };
    try {
      await parser.before?.({ ...request, event: parsed });
    } catch {
      jsonObject(event.body);
      throw new InvalidError('The request body must be sent with the Content-Type application/json.');
    }
    refuseUnstorable(text, piece);
    event.json = requireObject(parsed.body);
  };
  return { before: jsonBodyBefore };
}

/** Media types are compared without regard to case; a body on GET may lack one. */
function contentType({ headers, method }: AdminCall): string {
  return method === 'GET' ? 'application/json' : (headers['content-type'] ?? '').toLowerCase();
}

/** The JSON object that a body is. @throws InvalidError when it is anything else. */
export function jsonObject(body: Buffer): JsonObject {
  return requireObject(parseJson(body).value);
}

function requireObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new InvalidError('The request body must be a JSON object.');
  // What checks bodies copies them, and would take the value for the prototype of the copy.
  if (Object.hasOwn(value, '__proto__')) {
    const message = 'is not known';
    throw new InvalidError(`__proto__ ${message}: no request has it.`, {
      details: [{ path: '__proto__', message }],
    });
  }
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
