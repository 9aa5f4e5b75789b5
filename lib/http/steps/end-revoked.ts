import type { Request } from '@middy/core';
import { isInForce } from '../../accounts/still-there.ts';
import { UnauthenticatedError } from '../../errors.ts';
import type { DownloadCall, Step } from '../call.ts';
import type { HttpResponse, Piece } from '../types.ts';

/** Milliseconds after which a download asks again. */
const interval = 3_000;

/**
 * Breaks a download off when its account has been deleted or its token revoked: the client decides how long it goes on, and it
 * shows what is stored meanwhile. A token that only expires does not end it.
 */
export function endRevoked(): Step<DownloadCall> {
  const endRevokedAfter = ({ event, response }: Request<DownloadCall, HttpResponse>): void => {
    if (response?.stream === undefined) return;
    response.stream = checkedWhileRead(response.stream, () => refuseRevoked(event));
  };
  return { after: endRevokedAfter };
}

async function refuseRevoked({ lrs, account, presented }: DownloadCall): Promise<void> {
  const holder = await lrs.accounts.find(account.id);
  if (holder !== undefined && (presented === undefined || isInForce(presented, holder))) return;
  throw new UnauthenticatedError(
    'The download is broken off, because its account was deleted or its token was revoked.',
  );
}

function checkedWhileRead(stream: AsyncIterable<Piece>, check: () => Promise<void>): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]() {
      const inner = stream[Symbol.asyncIterator]();
      let checkAt = Date.now() + interval;
      const end = async (): Promise<IteratorResult<Piece>> =>
        (await inner.return?.()) ?? { done: true, value: undefined };
      return {
        async next() {
          if (Date.now() >= checkAt) {
            await check().catch(async (error: unknown) => {
              await end();
              throw error;
            });
            checkAt = Date.now() + interval;
          }
          return inner.next();
        },
        return: end,
      };
    },
  };
}
