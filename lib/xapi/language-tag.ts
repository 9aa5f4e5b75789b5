import { parse } from 'bcp-47';

/** A language with an optional script and region: nearly every tag in use, recognised without the parser. */
const commonTag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/** RFC 5646 section 4.4 expects 35 characters to be enough; the bound only keeps the parser's work small. */
const maxLength = 1000;

/** Whether the text is a well-formed language tag of RFC 5646, private-use and grandfathered ones included (xAPI 1.0.3 Data 4.2). */
export function isLanguageTag(text: string): boolean {
  if (commonTag.test(text)) return true;
  if (text.length > maxLength) return false;
  const tag = parse(text, { normalize: false });
  return Boolean(tag.language || tag.irregular || tag.regular) || tag.privateuse.length > 0;
}
