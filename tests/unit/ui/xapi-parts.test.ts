import { describe, expect, it } from 'vitest';
import { draftOfJson, jsonOfDraft } from '../../../ui/src/xapi/actor.ts';
import { durationText } from '../../../ui/src/xapi/duration.ts';
import { partsOf } from '../../../ui/src/xapi/multipart.ts';
import { activityName, verbName } from '../../../ui/src/xapi/names.ts';

describe('the parts of a statement on the screen', () => {
  it.each([
    ['{"mbox":"mailto:ann@example.org"}', 'mbox', 'ann@example.org'],
    [
      '{"mbox_sha1sum":"ebd31e95054c018b10727ccffd2ef2ec3a016ee9"}',
      'mbox_sha1sum',
      'ebd31e95054c018b10727ccffd2ef2ec3a016ee9',
    ],
    ['{"openid":"https://ann.example.org/"}', 'openid', 'https://ann.example.org/'],
    ['{"account":{"homePage":"https://example.org","name":"ann"}}', 'account', 'ann'],
    [
      '{"objectType":"Group","mbox":"mailto:team@example.org"}',
      'json',
      '{"objectType":"Group","mbox":"mailto:team@example.org"}',
    ],
    ['{"mbox":', 'json', '{"mbox":'],
  ])('an Agent is typed and read back: %s', (json, kind, value) => {
    expect(draftOfJson(json)).toMatchObject({ kind, value });
    expect(jsonOfDraft(draftOfJson(json))).toBe(json);
  });

  it('an account without its home page is not complete', () => {
    expect(jsonOfDraft({ kind: 'account', value: 'ann', homePage: ' ' })).toBe('');
  });

  it.each([
    ['PT1H30M', '1 hr 30 min'],
    ['P1Y2DT0.5S', '1 yr 2 days 0.5 sec'],
    ['P3W', '3 wks'],
    ['soon', 'soon'],
  ])('a duration is for people: %s', (duration, text) => {
    expect(durationText(duration, 'en')).toBe(text);
  });

  it('names are those of the best language, else what the id tells', () => {
    const verb = {
      id: 'http://example.org/verbs/signed%20off',
      display: { 'en-US': 'signed off', de: 'erledigte' },
    };
    expect(verbName(verb, ['de', 'en'])).toBe('erledigte');
    expect(verbName(verb, ['fr', 'en'])).toBe('signed off');
    expect(verbName({ id: verb.id, display: {} }, ['en'])).toBe('signed off');
    expect(activityName({ id: 'https://example.org/a', definition: { name: { en: '' } } }, ['en'])).toBe(
      'https://example.org/a',
    );
  });

  it('the parts of a multipart answer come byte for byte', () => {
    const content = '\r\n--e\r\n--edg\0\r\n';
    const body = `--edge\r\nContent-Type: application/json\r\n\r\n{}\r\n--edge\r\nX-Experience-API-Hash: ab\r\n\r\n${content}\r\n--edge--\r\n`;
    const parts = partsOf('multipart/mixed; boundary="edge"', new TextEncoder().encode(body));
    expect(parts.map(({ headers, content: bytes }) => [headers, new TextDecoder().decode(bytes)])).toEqual([
      [{ 'content-type': 'application/json' }, '{}'],
      [{ 'x-experience-api-hash': 'ab' }, content],
    ]);
    expect(() => partsOf('application/json', new Uint8Array())).toThrow('multipart/mixed');
  });
});
