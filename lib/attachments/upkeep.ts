import type { Logger } from '../logger.ts';
import type { AttachmentService } from './types.ts';

/** Milliseconds between two times that a server removes what is unused, and for one of them. */
const every = 3600_000;
const longest = 30_000;

/** Removes unused objects now and every hour. @returns what ends it. */
export function keepTidy(attachments: AttachmentService | undefined, logger: Logger): () => Promise<void> {
  if (attachments === undefined) return async () => {};
  let running = Promise.resolve(true);
  const tidy = (): void => {
    running = attachments.removeUnused(Date.now() + longest).catch((error: unknown) => {
      logger.error(
        { err: error },
        'unused attachments could not be removed from the bucket; they are tried again',
      );
      return false;
    });
  };
  tidy();
  const timer = setInterval(tidy, every).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
