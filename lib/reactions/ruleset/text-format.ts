import { isDuration } from '../../xapi/duration.ts';
import { isIri } from '../../xapi/iri.ts';
import { isLanguageTag } from '../../xapi/language-tag.ts';
import { isMailbox, isMailboxHash } from '../../xapi/mailbox.ts';
import { isMediaType } from '../../xapi/media-type.ts';
import { isSha2 } from '../../xapi/sha2.ts';
import { isUuid } from '../../xapi/uuid.ts';
import { minorVersionOf } from '../../xapi/version.ts';

interface Format {
  readonly fits: (text: string) => boolean;
  /** Says of a text that does not fit what it is not. */
  readonly name: string;
}

/** `object`: what identifies an Object, the IRI of an Activity or the id of a statement that is referred to. */
const formats = {
  iri: { fits: isIri, name: 'no IRI with a scheme, such as http://example.org/x' },
  mailbox: { fits: isMailbox, name: 'no mailto IRI, such as mailto:ann@example.org' },
  object: { fits: (text) => isIri(text) || isUuid(text), name: 'neither an IRI with a scheme nor a UUID' },
  uuid: { fits: isUuid, name: 'no UUID' },
  sha1: { fits: isMailboxHash, name: 'not the 40 hex digits of a SHA-1 hash' },
  sha2: { fits: isSha2, name: 'not the hex digits of a SHA-2 hash' },
  mediaType: { fits: isMediaType, name: 'no media type, such as text/plain' },
  duration: { fits: isDuration, name: 'no duration, such as PT1M30S' },
  language: { fits: isLanguageTag, name: 'no language tag, such as en-US' },
  version: {
    fits: (text) => minorVersionOf(text) !== undefined,
    name: 'no version of xAPI, such as 1.0.0 or 2.0.0',
  },
} as const satisfies Readonly<Record<string, Format>>;

/** What text has to be, as each statement that is stored was checked. */
export type TextFormat = keyof typeof formats;

export function fitsFormat(format: TextFormat, text: string): boolean {
  return formats[format].fits(text);
}

/** Completes `is …` of a text that does not fit, e.g. `no UUID`. */
export function formatName(format: TextFormat): string {
  return formats[format].name;
}
