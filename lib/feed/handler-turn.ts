import type { FeedClock } from './clock.ts';
import type { ConsumerLease, LeaseOptions } from './lease.ts';
import { ConsumerFailure, type FeedEffect, type FeedHandler, type FeedItem } from './types.ts';

/** When work for consumers ends although items are left. */
export interface RunUntil {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Whether a runner waits shortly after a poll, so that small commits are handled together. */
  readonly paced: boolean;
}

/** The longest time (ms) that a handler may work on one batch; in the background it may have a tenth of the time or less. */
const longestTurn = 30_000;
const longestInBackground = 20 * longestTurn;
/** The time (ms) in which a handler must end after its turn was aborted. */
const longestGrace = 1000;
/**
 * A handler is aborted so long (ms) before the deadline of the work, or for the last quarter of the time that is left: half
 * of it is for the handler to end, the other half for its effect to be written.
 */
const longestMargin = 2 * longestGrace;

/** The process is about to stop working for the consumer; this is not a failure. */
export class TurnEndedError extends Error {
  override readonly name = 'TurnEndedError';
}

/** The handler has worked for too long on as many items. */
export class TurnTooLongError extends ConsumerFailure {
  override readonly name = 'TurnTooLongError';
}

interface Turn {
  readonly consumer: string;
  readonly handler: FeedHandler;
  readonly lease: ConsumerLease;
  readonly until: RunUntil;
  readonly options: Pick<LeaseOptions, 'clock' | 'milliseconds'>;
}

/**
 * Lets a handler work on items, and renews the lease meanwhile. The result of a handler that does not end in time is
 * ignored.
 * @throws TurnEndedError, LeaseLostError, and the handler's errors.
 */
export async function runHandler(items: readonly FeedItem[], turn: Turn): Promise<FeedEffect> {
  const { consumer, handler, until, options } = turn;
  const { clock } = options;
  const longest = handler.inBackground ? longestInBackground : longestTurn;
  const limit = clock.date() + longest;
  const margin = Math.min(longestMargin, Math.max(0, until.deadline - clock.date()) / 4);
  const deadline = Math.min(until.deadline - margin, limit);
  const abort = new AbortController();
  const { signal } = abort;
  const stop = (): void => abort.abort(new TurnEndedError('The process stops working for the consumer.'));
  const expire = (): void => {
    if (deadline < limit) stop();
    else
      abort.abort(
        new TurnTooLongError(`The handler has worked on a batch for more than ${longest / 1000} s.`),
      );
  };
  until.signal.addEventListener('abort', stop);
  const cancelDeadline = clock.after(deadline - clock.date(), expire);
  const endRenewals = keepLease(turn, abort);
  const patience = patienceWith(signal, { clock, grace: Math.min(longestGrace, margin / 2) });
  if (until.signal.aborted) stop();
  let work: Promise<FeedEffect> | undefined;
  try {
    work = handler.handle(items, { consumer, signal, deadline });
    return await Promise.race([work, patience.ended]);
  } catch (error) {
    // It may still come to an end.
    void work?.then(({ release }) => release?.()).catch(() => {});
    throw signal.aborted ? signal.reason : error;
  } finally {
    until.signal.removeEventListener('abort', stop);
    cancelDeadline();
    patience.cancel();
    await endRenewals();
  }
}

/** Rejects some milliseconds after the signal, unless it is cancelled. */
function patienceWith(
  signal: AbortSignal,
  { clock, grace }: { readonly clock: FeedClock; readonly grace: number },
): { readonly ended: Promise<never>; readonly cancel: () => void } {
  let cancel = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      cancel = clock.after(grace, () => reject(signal.reason));
    });
  });
  return { ended, cancel: () => cancel() };
}

/**
 * Renews the lease periodically until the turn is aborted.
 * @returns a function that ends the renewal.
 */
function keepLease({ lease, options }: Turn, abort: AbortController): () => Promise<void> {
  const { clock, milliseconds } = options;
  const every = milliseconds / 3;
  let renewing = Promise.resolve();
  let cancel = clock.after(every, renew);
  function renew(): void {
    if (abort.signal.aborted) return;
    renewing = lease.renew().then(
      () => {
        cancel = clock.after(every, renew);
      },
      (error: unknown) => abort.abort(error),
    );
  }
  return async () => {
    cancel();
    await renewing;
    cancel();
  };
}
