import type { Config } from '../../config/types.ts';
import { TooLargeError, UnavailableError } from '../errors.ts';

/** How many bytes a body may have, and the setting that says so. */
export interface BodyLimit {
  readonly bytes: number;
  /** E.g. `webserver.maxBodyBytes (LRS_MAX_BODY_BYTES)`. */
  readonly setting: string;
}

export interface BodyTerms {
  readonly limit: BodyLimit;
  /** Whether the sender is known. Bodies of unknown senders share a small part of the memory for bodies. */
  readonly authenticated: boolean;
}

/**
 * Reads the body of a request that is still arriving; called at most once. A short one that has arrived is returned at once.
 * @throws TooLargeError above the limit; UnavailableError while other bodies take all memory; RequestTimeoutError when it
 * arrives too slowly; InvalidError when it breaks off.
 */
export type BodyReader = (terms: BodyTerms) => Buffer | Promise<Buffer>;

type Webserver = Config['webserver'];

export function bodyLimit({ maxBodyBytes }: Webserver): BodyLimit {
  return { bytes: maxBodyBytes, setting: 'webserver.maxBodyBytes (LRS_MAX_BODY_BYTES)' };
}

/** The limit of a body that is read before the sender is known. */
export function unauthenticatedBodyLimit(webserver: Webserver): BodyLimit {
  return smallerLimit(webserver, {
    bytes: webserver.maxUnauthenticatedBodyBytes,
    setting: 'webserver.maxUnauthenticatedBodyBytes (LRS_MAX_UNAUTHENTICATED_BODY_BYTES)',
  });
}

/** The limit of a body for the administration, whose sender is known. */
export function adminBodyLimit(webserver: Webserver): BodyLimit {
  return smallerLimit(webserver, {
    bytes: webserver.maxAdminBodyBytes,
    setting: 'webserver.maxAdminBodyBytes (LRS_MAX_ADMIN_BODY_BYTES)',
  });
}

function smallerLimit(webserver: Webserver, limit: BodyLimit): BodyLimit {
  return webserver.maxBodyBytes <= limit.bytes ? bodyLimit(webserver) : limit;
}

export function bodyTooLarge({ bytes, setting }: BodyLimit): TooLargeError {
  return new TooLargeError(`The request body is larger than the ${bytes} bytes that ${setting} permits.`);
}

/** Why a body is refused that the memory budget of all bodies does not permit. */
export function bodiesExhausted(): UnavailableError {
  return new UnavailableError(
    'The bodies of other requests take all the memory that webserver.maxBufferedBodyBytes (LRS_MAX_BUFFERED_BODY_BYTES) permits; try again in a moment.',
  );
}
