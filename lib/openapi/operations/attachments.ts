import { announcementSchema } from '../../attachments/bodies.ts';
import { json, placeholders } from '../examples.ts';
import { jsonSchemaOf } from '../schema.ts';
import type { Operation } from '../types.ts';
import { answerOf, objectOf, text, timeSchema } from './answers.ts';
import { operatorHeader, versionHeader } from './headers.ts';

const tag = 'Attachments';

const sha2 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const announced = { sha2, length: 24_000_000, contentType: 'video/mp4' };
const version = { 'X-Experience-API-Version': '1.0.3' };

const setting =
  'Answers 404 unless the setting `attachmentBucket` names a bucket; [operation.md](operation.md#large-attachments) shows the whole exchange.';

/** Attachments that go directly into a bucket and out of it. */
export const attachmentOperations = {
  announceAttachment: {
    tag,
    summary: 'Begin the upload of a large attachment',
    description: `The answer says where the content is to be sent, in one request with exactly the headers that it lists; the store refuses other contents. Within a day a statement may then describe the attachment by the same hash, length and content type, without a part that brings its data and without \`fileUrl\`. Needs a scope that permits to write statements. ${setting}`,
    parameters: [versionHeader, operatorHeader],
    body: { 'application/json': jsonSchemaOf(announcementSchema) },
    answers: {
      200: answerOf(
        'Where to send the content.',
        objectOf({
          method: { const: 'PUT' },
          url: { ...text, format: 'uri' },
          headers: { type: 'object', additionalProperties: text },
          expires: { ...timeSchema, description: 'Until when the upload may begin.' },
        }),
      ),
    },
    errors: ['not-found', 'conflict', 'too-large'],
    examples: {
      video: {
        summary: 'A video of 24 MB',
        parameters: version,
        body: json(announced),
        status: 200,
        answer: json({
          method: 'PUT',
          url: placeholders.uploadAddress,
          headers: {
            'Content-Type': 'video/mp4',
            'x-amz-checksum-sha256': 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
            'Content-Length': '24000000',
          },
          expires: placeholders.uploadExpires,
        }),
      },
      tooLarge: {
        summary: 'A video that is too large',
        parameters: version,
        body: json({ ...announced, length: 2_000_000_000 }),
        status: 413,
        answer: json({
          error:
            'The attachment has 2000000000 bytes, and 1073741824 are permitted (setting attachmentMaxBytes).',
          code: 'too-large',
          details: [{ path: 'length', message: 'must be at most 1073741824' }],
        }),
      },
    },
  },
  getAttachment: {
    tag,
    summary: 'Download an attachment',
    description: `For who may read a statement that carries it. ${setting}`,
    parameters: [
      versionHeader,
      operatorHeader,
      {
        name: 'sha2',
        in: 'path',
        required: true,
        description: 'The hash of its content, as the statement has it.',
        schema: { type: 'string', pattern: '^[0-9a-fA-F]{56,128}$' },
      },
    ],
    answers: {
      200: {
        description: 'The content, where it lies in the database.',
        content: { '*/*': { type: 'string', format: 'binary' } },
      },
      302: {
        description: 'The content lies in the bucket.',
        headers: { Location: 'Where it can be downloaded without credentials, for some minutes.' },
      },
    },
    errors: ['not-found'],
    examples: {
      unknown: {
        summary: 'No statement carries it',
        parameters: { ...version, sha2 },
        status: 404,
        answer: json({
          error: `No statement that these credentials may read carries an attachment with the hash ${sha2}.`,
          code: 'not-found',
        }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
