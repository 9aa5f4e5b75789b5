import type Joi from 'joi';
import { address, integer, text } from './kinds.ts';

/** Attachments that lie in a bucket. */
export const attachments = {
  attachmentBucket: text(
    'Bucket of Amazon S3, or of a store that speaks its language, where large attachments lie: those that clients upload directly, and those of more than `attachmentInlineBytes` that come with their statements. Without it all attachments come with their statements and lie in the database.',
    { kind: 'the name of a bucket' },
  )
    .pattern(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .default(null),
  attachmentRegion: text('The region of the bucket.', { kind: 'the name of a region' })
    .pattern(/^[a-z0-9-]+$/)
    .default('us-east-1'),
  attachmentEndpoint: address(
    'Address of the store when it is not Amazon S3, as clients reach it too; the bucket follows as the first segment of the path.',
  ).default(null),
  attachmentInlineBytes: integer(
    'With a bucket: attachments that come with their statements and have at most so many bytes lie in the database, larger ones in the bucket.',
  )
    .min(16_384)
    .max(5_000_000_000)
    .default(262_144),
  attachmentMaxBytes: integer('Largest attachment in bytes that may be uploaded into the bucket.')
    .min(1)
    .max(5_000_000_000)
    .default(1_073_741_824),
  attachmentMaxUploads: integer(
    'Most attachments that one key pair may have uploaded, or may be uploading, into the bucket within a day.',
  )
    .min(1)
    .max(1_000_000)
    .default(1000),
  attachmentUrlSeconds: integer('How long (s) an address for an upload or a download may be used.')
    .min(30)
    .max(43_200)
    .default(900),
} satisfies Readonly<Record<string, Joi.Schema>>;
