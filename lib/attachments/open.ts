import type { AwsCredentials } from '../aws/credentials.ts';
import type { Database } from '../db/types.ts';
import { databaseContents } from './content-store.ts';
import type { AttachmentLimits, AttachmentService, ContentStore } from './types.ts';

interface BucketSettings extends AttachmentLimits {
  readonly attachmentBucket: string | null;
  readonly attachmentRegion: string;
  readonly attachmentEndpoint: string | null;
  /** Bytes. */
  readonly attachmentInlineBytes: number;
}

interface OpenedAttachments {
  readonly contents: ContentStore;
  readonly attachments: AttachmentService | undefined;
}

/** Attachments in the bucket of the settings; where there is none, in the database, and nothing is loaded for a bucket. */
export async function openAttachments(
  db: Database,
  settings: BucketSettings,
  { awsCredentials: credentials }: { readonly awsCredentials?: () => Promise<AwsCredentials> },
): Promise<OpenedAttachments> {
  const { attachmentBucket: name, attachmentRegion: region, attachmentEndpoint: endpoint } = settings;
  if (name === null || credentials === undefined) {
    return { contents: databaseContents(db), attachments: undefined };
  }
  const [{ createS3ObjectStore }, { createAttachmentService }, { bucketContents }] = await Promise.all([
    import('./s3-object-store.ts'),
    import('./service.ts'),
    import('./bucket-contents.ts'),
  ]);
  const objects = createS3ObjectStore({ name, region, endpoint, credentials });
  return {
    contents: bucketContents(db, { objects, inlineBytes: settings.attachmentInlineBytes }),
    attachments: createAttachmentService(db, { objects, limits: settings }),
  };
}
