import { isMediaType } from '../../media-type.ts';
import { isSha2 } from '../../sha2.ts';
import type { Attachment } from '../../types.ts';
import { arrayOf, type Check, objectOf, required, textOf } from './check.ts';
import { checkIri, checkLanguageMap } from './value.ts';

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
      sha2: required(textOf(isSha2, 'attachment', 'must be the hex digits of a SHA-2 hash')),
      fileUrl: checkIri,
    },
  }),
  { noun: 'Attachments', subject: 'attachment' },
);
