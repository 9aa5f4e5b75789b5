import { isDuration } from '../../duration.ts';
import { isIri } from '../../iri.ts';
import { isLanguageTag } from '../../language-tag.ts';
import { isTimestamp } from '../../timestamp.ts';
import type { Extensions, LanguageMap } from '../../types.ts';
import { isUuid } from '../../uuid.ts';
import { type Check, checkBelow, isObject, textOf } from './check.ts';

/** Any string, the empty one included. */
export const checkText: Check<string> = (value, inspection): value is string =>
  typeof value === 'string' || inspection.mismatch('formatting', 'must be a string', value);

export const checkBoolean: Check<boolean> = (value, inspection): value is boolean =>
  typeof value === 'boolean' || inspection.mismatch('formatting', 'must be true or false', value);

export const checkNumber: Check<number> = (value, inspection): value is number =>
  typeof value === 'number' || inspection.mismatch('formatting', 'must be a number', value);

export const checkIri = textOf(isIri, 'iri', 'must be an IRI with a scheme, such as http://example.org/x');

export const checkUuid = textOf(
  isUuid,
  'uuid',
  'must be a UUID such as 6690e6c9-3ef0-4ed3-8b37-7f3964730bee',
);

export const checkTimestamp = textOf(
  isTimestamp,
  'timestamp',
  'must be an RFC 3339 timestamp with its offset, such as 2013-05-18T05:32:34.804Z',
);

export const checkDuration = textOf(
  isDuration,
  'duration',
  'must be an ISO 8601 duration such as PT4H35M59.14S',
);

export const checkLanguageTag = textOf(
  isLanguageTag,
  'language map',
  'must be an RFC 5646 language tag such as en-US',
);

export const checkLanguageMap: Check<LanguageMap> = (value, inspection): value is LanguageMap => {
  if (!isObject(value)) {
    return inspection.mismatch('language map', 'must be a language map such as {"en-US": "text"}', value);
  }
  const before = inspection.problems;
  for (const tag in value) {
    if (!isLanguageTag(tag)) {
      inspection.refuse('language map', 'has a key that is not an RFC 5646 language tag such as en-US', tag);
    }
    checkBelow(tag, value[tag], checkText, inspection);
  }
  return inspection.problems === before;
};

/** The keys are IRIs, the values any JSON, null included (xAPI 1.0.3 Data 4.1). */
export const checkExtensions: Check<Extensions> = (value, inspection): value is Extensions => {
  if (!isObject(value)) {
    return inspection.mismatch('extensions', 'must be an object whose keys are IRIs', value);
  }
  const before = inspection.problems;
  for (const key in value) {
    if (!isIri(key)) inspection.refuse('extensions', 'has a key that is not an IRI with a scheme', key);
  }
  return inspection.problems === before;
};
