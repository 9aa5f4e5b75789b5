import { expect, it } from 'vitest';
import { agentIn, draftOfJson, identifierText, jsonOfDraft } from '../../../ui/src/xapi/actor.ts';

it.each(['null', '"mbox"', '{"mbox":5}', '{"openid":[]}', '{"account":null}', '{"account":{"name":"zoe"}}'])(
  'finds no Agent in %s, which stays as it is',
  (json) => {
    expect(agentIn(json)).toBeUndefined();
    expect(draftOfJson(json)).toEqual({ kind: 'json', value: json, homePage: '' });
  },
);

it('finds one whose identifiers can be read', () => {
  const agent = { account: { homePage: 'https://lms.example.org', name: ' zoe ' } };
  expect(agentIn(JSON.stringify(agent))).toEqual(agent);
  expect(identifierText(agent)).toBe(' zoe  (https://lms.example.org)');
  expect(agentIn('{}')).toEqual({});
});

it.each([
  ['ann@example.org', 'mailto:ann@example.org'],
  ['mailto:ann@example.org', 'mailto:ann@example.org'],
  ['ann', 'ann'],
  ['mailto:ann', 'mailto:ann'],
])('makes a mail address of %s only if it is one, so that an error quotes what was typed', (value, mbox) => {
  const json = jsonOfDraft({ kind: 'mbox', value, homePage: '' });
  expect(JSON.parse(json)).toEqual({ mbox });
  expect(draftOfJson(json).value).toBe(mbox === value ? value.replace(/^mailto:(?=.*@)/, '') : value);
});
