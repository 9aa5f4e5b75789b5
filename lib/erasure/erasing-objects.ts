import type { AttachmentService } from '../attachments/types.ts';
import type { Logger } from '../logger.ts';
import type { ErasureService } from './types.ts';

/** Milliseconds that somebody who erases an actor waits for the bucket. */
const patience = 10_000;

/** Has an erasure remove the objects that no statement carries any more; those that it can't are removed later. */
export function erasingObjects(
  erasure: ErasureService,
  attachments: AttachmentService | undefined,
  logger: Logger,
): ErasureService {
  if (attachments === undefined) return erasure;
  return {
    ...erasure,
    async erase(identifier) {
      const rows = await erasure.erase(identifier);
      await attachments.removeUnused(Date.now() + patience).catch((error: unknown) => {
        logger.error(
          { err: error },
          'attachments of erased statements are still in the bucket; they are removed later',
        );
      });
      return rows;
    },
  };
}
