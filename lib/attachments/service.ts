import { randomUUID } from 'node:crypto';
import { keyOf } from '../db/key.ts';
import type { Database } from '../db/types.ts';
import { ConflictError, TooLargeError } from '../errors.ts';
import { printJson } from '../json/json.ts';
import type { Actor } from '../xapi/types.ts';
import { findContent } from './content-reader.ts';
import type { AttachmentLimits, AttachmentService, ObjectStore } from './types.ts';
import { UploadChecks } from './upload-checks.ts';
import {
  countUploads,
  deleteUploads,
  insertUploads,
  prolongUpload,
  type Second,
  selectEnded,
  selectUploads,
} from './upload-store.ts';

/** Seconds in which an upload has to be complete and a statement has to refer to it. */
const openSeconds = 24 * 3600;
/** Seconds that a request may go on with an upload which ended while it was handled, or with sending one. */
const longestRequest = 300;
/** Objects that are removed one after another before it is asked again which. */
const sliceSize = 50;

export interface AttachmentServiceOptions {
  readonly objects: ObjectStore;
  readonly limits: AttachmentLimits;
  /** Milliseconds since the epoch, in place of the clock; for tests. */
  readonly now?: () => number;
}

/** Attachments in a bucket. */
export function createAttachmentService(
  db: Database,
  { objects, limits, now: clock = Date.now }: AttachmentServiceOptions,
): AttachmentService {
  const now = (): Second => Math.floor(clock() / 1000);
  const { attachmentMaxBytes, attachmentMaxUploads, attachmentUrlSeconds } = limits;
  const grace = attachmentUrlSeconds + longestRequest;
  const checks = new UploadChecks(objects, clock);

  return {
    async announce(owner, announced) {
      const { sha2, length } = announced;
      if (length > attachmentMaxBytes) {
        throw new TooLargeError(
          `The attachment has ${length} bytes, and ${attachmentMaxBytes} are permitted (setting attachmentMaxBytes).`,
          { details: [{ path: 'length', message: `must be at most ${attachmentMaxBytes}` }] },
        );
      }
      const key = ownerKey(owner);
      const expires = now() + openSeconds;
      const objectId = await db.write(async (session) => {
        const open = await selectUploads(session, key, { hashes: [sha2], now: now() });
        // Of one that is described in another way the address is signed, and its content may have arrived.
        const same = open.find(
          (upload) => upload.length === length && upload.contentType === announced.contentType,
        );
        if (same !== undefined) {
          await prolongUpload(session, same.objectId, expires);
          return same.objectId;
        }
        if ((await countUploads(session, key, now())) >= attachmentMaxUploads) {
          throw new ConflictError(
            `These credentials have announced ${attachmentMaxUploads} attachments within a day, which is as many as are permitted (setting attachmentMaxUploads).`,
          );
        }
        const id = randomUUID();
        await insertUploads(session, key, [{ ...announced, objectId: id, expires }]);
        return id;
      });
      return objects.uploadAddress(objectId, announced, attachmentUrlSeconds);
    },

    async arrived(owner, hashes, client) {
      if (hashes.length === 0) return new Map();
      const key = ownerKey(owner);
      const open = await db.read((session) => selectUploads(session, key, { hashes, now: now() }));
      return checks.complete(open, client);
    },

    async find(sha2, options) {
      const found = await findContent(db, sha2, options);
      if ('content' in found) return found;
      return { url: await objects.downloadAddress(found.objectId, found.contentType, attachmentUrlSeconds) };
    },

    async removeUnused(deadline) {
      for (;;) {
        const ended = await db.read((session) => selectEnded(session, now() - grace, sliceSize));
        if (ended.length === 0) return true;
        for (const { objectId, isUsed } of ended) {
          if (Date.now() >= deadline) return false;
          if (!isUsed) await objects.remove(objectId);
          await db.write((session) => deleteUploads(session, [objectId]));
        }
      }
    },
  };
}

/** Key pairs with one authority share their uploads, as they share their statements. */
const ownerKey = (owner: Actor): string => keyOf(printJson(owner));
