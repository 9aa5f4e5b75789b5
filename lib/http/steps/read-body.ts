import type { Request } from '@middy/core';
import { UnsupportedMediaTypeError } from '../../errors.ts';
import {
  adminBodyLimit,
  type BodyTerms,
  bodyLimit,
  bodyTooLarge,
  unauthenticatedBodyLimit,
} from '../body.ts';
import type { OpenCall, Step } from '../call.ts';
import { inOne } from '../in-one.ts';

/** Refuses a request whose announced length is above `webserver.maxBodyBytes`, before anything else is looked at. */
export function announcedLength(): Step<OpenCall> {
  return {
    before: ({ event }: Request<OpenCall>): void => {
      const limit = bodyLimit(event.lrs.config.webserver);
      if (Number(event.headers['content-length'] ?? 0) > limit.bytes) throw bodyTooLarge(limit);
    },
  };
}

/** Reads the body, after the steps that authenticate and authorise: a request that they refuse costs no memory. */
export function readBody(): Step<OpenCall> {
  return {
    before: ({ event }: Request<OpenCall>): Promise<void> | undefined =>
      readBodyOf(event, { limit: bodyLimit(event.lrs.config.webserver), authenticated: true }),
  };
}

/** The same for JSON that is parsed as a whole, up to `webserver.maxAdminBodyBytes`. */
export function readAdminBody(): Step<OpenCall> {
  return {
    before: ({ event }: Request<OpenCall>): Promise<void> | undefined =>
      readBodyOf(event, { limit: adminBodyLimit(event.lrs.config.webserver), authenticated: true }),
  };
}

/**
 * Reads the body, and then takes the steps that authenticate the call once more if it had to wait: the client decides how long
 * that takes, and what the call came with may have been revoked meanwhile.
 */
export function authenticatedAfter<C extends OpenCall>(body: Step<C>, again: readonly Step<C>[]): Step<C> {
  const { before: authenticate } = inOne(again);
  return {
    before: (request: Request<C>): Promise<void> | undefined => {
      const reading: unknown = body.before?.(request);
      return reading instanceof Promise ? reading.then(() => authenticate?.(request)) : undefined;
    },
  };
}

/** Reads the body of a request that needs no authentication, up to `webserver.maxUnauthenticatedBodyBytes`. */
export function readUnauthenticatedBody(): Step<OpenCall> {
  return {
    before: ({ event }: Request<OpenCall>): Promise<void> | undefined =>
      readBodyOf(event, {
        limit: unauthenticatedBodyLimit(event.lrs.config.webserver),
        authenticated: false,
      }),
  };
}

/**
 * Completes `body`; one that is complete already is only measured.
 * @throws as `BodyReader` says; UnsupportedMediaTypeError for a body with a content coding (RFC 9110 8.4).
 */
export function readBodyOf(event: OpenCall, terms: BodyTerms): Promise<void> | undefined {
  const { readBody: read } = event;
  if (read !== undefined || event.body.length > 0) refuseEncoded(event);
  if (read === undefined) {
    if (event.body.length > terms.limit.bytes) throw bodyTooLarge(terms.limit);
    return undefined;
  }
  event.readBody = undefined;
  const body = read(terms);
  if (body instanceof Promise) {
    // Anybody can send a request whose body never comes, to every store whose name can be guessed.
    const arrived = terms.authenticated ? body : (event.outsideStore?.(body) ?? body);
    return arrived.then((bytes) => {
      event.body = bytes;
    });
  }
  event.body = body;
  return undefined;
}

function refuseEncoded({ headers }: OpenCall): void {
  const codings = headers['content-encoding'];
  if (codings === undefined || /^(?:identity)?$/i.test(codings.trim())) return;
  throw new UnsupportedMediaTypeError(
    'The request body has a Content-Encoding, which the server does not read; send the body as it is.',
  );
}
