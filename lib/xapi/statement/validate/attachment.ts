import { isMediaType } from '../../media-type.ts';
import type { Attachment } from '../../types.ts';
import { arrayOf, type Check, objectOf, required, textOf } from './check.ts';
import { checkIri, checkLanguageMap } from './value.ts';

/** The hex digits of SHA-224, SHA-256, SHA-384 or SHA-512. */
const sha2 = /^(?:[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

const checkLength: Check<number> = (value, inspection): value is number =>
  (Number.isSafeInteger(value) && Number(value) >= 0) ||
  inspection.mismatch('attachment', 'must be the length in octets, a whole number', value);

export const checkAttachments = arrayOf(
  objectOf<Attachment>({
    noun: 'an Attachment',
    subject: 'attachment',
    properties: {
      usageType: required(checkIri),
      display: required(checkLanguageMap),
      description: checkLanguageMap,
      contentType: required(
        textOf(isMediaType, 'attachment', 'must be an Internet media type such as text/plain'),
      ),
      length: required(checkLength),
      sha2: required(
        textOf((text) => sha2.test(text), 'attachment', 'must be the hex digits of a SHA-2 hash'),
      ),
      fileUrl: checkIri,
    },
  }),
  { noun: 'Attachments', subject: 'attachment' },
);
