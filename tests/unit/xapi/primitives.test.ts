import { describe, expect, it } from 'vitest';
import { isDuration } from '../../../lib/xapi/duration.ts';
import { isIri } from '../../../lib/xapi/iri.ts';
import { isLanguageTag } from '../../../lib/xapi/language-tag.ts';
import { isMailbox, isMailboxHash } from '../../../lib/xapi/mailbox.ts';
import { isMediaType } from '../../../lib/xapi/media-type.ts';
import { isTimestamp, timestampToMicroseconds } from '../../../lib/xapi/timestamp.ts';
import type { XapiVersion } from '../../../lib/xapi/types.ts';
import { isUuid } from '../../../lib/xapi/uuid.ts';
import { growsWithSize } from '../../support/processor-time.ts';
import { vectors } from '../../support/vectors.ts';

const predicates: Record<string, (text: string, version: XapiVersion) => boolean> = {
  duration: isDuration,
  iri: isIri,
  'language-tag': isLanguageTag,
  mailbox: isMailbox,
  'media-type': isMediaType,
  timestamp: isTimestamp,
  uuid: isUuid,
};

describe.each(Object.entries(predicates))('%s', (name, predicate) => {
  it.each(vectors(`${name}_valid`))('accepts "$value": $reason ($version)', ({ value, version }) => {
    expect(predicate(value, version)).toBe(true);
  });

  it.each(vectors(`${name}_invalid`))('refuses "$value": $reason ($version)', ({ value, version }) => {
    expect(predicate(value, version)).toBe(false);
  });

  it('refuses control characters, lone surrogates and line ends', () => {
    for (const { value, version } of vectors(`${name}_valid`)) {
      for (const added of ['\n', '\t', '\u0000', '\u0085', '\ud800']) {
        expect(predicate(value + added, version), JSON.stringify(value + added)).toBe(
          name === 'media-type' && added === '\t',
        );
      }
    }
  });

  it('takes time that grows with the length of a text only', async () => {
    for (const unit of ['1', 'a', 'a-', '-ab', '1.', ';', ' ', 'a=b;', '😀', '@', ':', '"']) {
      for (const start of ['', 'a:', 'P', 'PT1', 'mailto:', 'en', 'en-a', 'x-', 'a/b;', 'a/b;c="']) {
        const answer = (length: number) => predicate(start + unit.repeat(length / unit.length), '1.0.3');
        expect(await growsWithSize(answer, 1_000_000), `${start}${unit}…`).toBe(true);
      }
    }
  });
});

describe('isMailboxHash', () => {
  it('accepts forty hex digits in either case and nothing else (xAPI 1.0.3 Data 2.4.2.3)', () => {
    expect(isMailboxHash('cd9b00a5611f94eaa7b1661edab976068e364975')).toBe(true);
    expect(isMailboxHash('CD9B00A5611F94EAA7B1661EDAB976068E364975')).toBe(true);
    expect(isMailboxHash('cd9b00a5611f94eaa7b1661edab976068e36497')).toBe(false);
    expect(isMailboxHash('cd9b00a5611f94eaa7b1661edab976068e36497g')).toBe(false);
    expect(isMailboxHash('')).toBe(false);
  });
});

describe('timestampToMicroseconds', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T01:00:00+01:00', 0],
    ['1969-12-31T23:00:00-01:00', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['2021-11-29T23:09:00.867219+00:00', 1_638_227_340_867_219],
    ['2021-11-29T23:09:00.8672199999+00:00', 1_638_227_340_867_219],
    ['2021-11-29t23:09:00.5z', 1_638_227_340_500_000],
    ['2021-11-29 23:09:00Z', 1_638_227_340_000_000],
    ['2016-12-31T23:59:60Z', 1_483_228_800_000_000],
    ['2021-11-29T23:09:00.5', 1_638_227_340_500_000],
    ['2021-11-29T23:09:00', 1_638_227_340_000_000],
    ['2021-11-30T01:09:00+02', 1_638_227_340_000_000],
    ['0050-01-01T00:00:00Z', Date.parse('0050-01-01T00:00:00Z') * 1000],
  ])('reads %s as %i', (text, microseconds) => {
    expect(timestampToMicroseconds(text)).toBe(microseconds);
  });
});
