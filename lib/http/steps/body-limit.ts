import type { Request } from '@middy/core';
import { TooLargeError } from '../../errors.ts';
import type { Call, Step } from '../call.ts';

/**
 * Refuses a body above `webserver.maxBodyBytes`. The announced length counts like the real one: an entrance that knows that
 * a body is too large doesn't read it, and leaves the refusal to this step.
 */
export function bodyLimit(): Step<Call> {
  const bodyLimitBefore = ({ event }: Request<Call>): void => {
    const { maxBodyBytes } = event.lrs.config.webserver;
    const announced = Number(event.headers['content-length'] ?? 0);
    if (event.body.length > maxBodyBytes || announced > maxBodyBytes) {
      throw new TooLargeError(
        `The request body is larger than the ${maxBodyBytes} bytes that webserver.maxBodyBytes (LRS_MAX_BODY_BYTES) permits.`,
      );
    }
  };
  return { before: bodyLimitBefore };
}
