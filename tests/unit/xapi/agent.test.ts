import { describe, expect, it } from 'vitest';
import { identifierOf, identifiersOf, personOf } from '../../../lib/xapi/agent.ts';

const hash = 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9';

describe('identifierOf', () => {
  it.each([
    ['mbox', { mbox: 'mailto:a@b.org' }, 'mbox::mailto:a@b.org'],
    ['mbox_sha1sum', { mbox_sha1sum: hash }, `mbox_sha1sum::${hash}`],
    ['openid', { openid: 'http://a.example/' }, 'openid::http://a.example/'],
    [
      'account',
      { account: { name: '1625378', homePage: 'http://b.example' } },
      'account::1625378@http://b.example',
    ],
  ])('names the %s (xAPI 1.0.3 Data 2.4.2.3)', (_kind, actor, identifier) => {
    expect(identifierOf(actor)).toBe(identifier);
    expect(identifierOf({ ...actor, objectType: 'Group', name: 'A name' } as const)).toBe(identifier);
  });

  it('is undefined for an anonymous Group', () => {
    expect(
      identifierOf({ objectType: 'Group', member: [{ mbox: 'mailto:a@b.org' }] } as const),
    ).toBeUndefined();
  });

  it('takes the domain of an address without case, and the local part with it (xAPI 1.0.3 Data 2.4.2.3)', () => {
    expect(identifierOf({ mbox: 'mailto:Bob@Example.ORG' })).toBe('mbox::mailto:Bob@example.org');
  });

  it('counts every other letter as it is (xAPI 1.0.3 Data 2.2)', () => {
    expect(identifierOf({ mbox_sha1sum: hash.toUpperCase() })).not.toBe(identifierOf({ mbox_sha1sum: hash }));
    expect(identifierOf({ openid: 'http://A.example/' })).not.toBe(
      identifierOf({ openid: 'http://a.example/' }),
    );
  });

  it('never gives two accounts one text', () => {
    const long = identifierOf({ account: { name: 'a', homePage: 'x:y@http://b.example' } });
    const short = identifierOf({ account: { name: 'a@x:y', homePage: 'http://b.example' } });
    expect(short).toBe('account::a@x:y@http://b.example');
    expect(long).not.toBe(short);
  });
});

describe('identifiersOf', () => {
  it('lists a Group and its members, each once', () => {
    const member = [{ mbox: 'mailto:a@b.org' }, { mbox: 'mailto:c@b.org' }, { mbox: 'mailto:a@b.org' }];
    expect(identifiersOf({ objectType: 'Group', mbox: 'mailto:g@b.org', member })).toStrictEqual([
      'mbox::mailto:g@b.org',
      'mbox::mailto:a@b.org',
      'mbox::mailto:c@b.org',
    ]);
    expect(identifiersOf({ objectType: 'Group', member })).toHaveLength(2);
    expect(identifiersOf({ objectType: 'Group', mbox: 'mailto:g@b.org' })).toStrictEqual([
      'mbox::mailto:g@b.org',
    ]);
    expect(identifiersOf({ mbox: 'mailto:a@b.org' })).toStrictEqual(['mbox::mailto:a@b.org']);
  });
});

describe('personOf', () => {
  it.each([
    ['mbox', 'mailto:a@b.org'],
    ['mbox_sha1sum', hash],
    ['openid', 'http://a.example/'],
    ['account', { name: 'a', homePage: 'http://b.example' }],
  ])('has the %s as a list (xAPI 1.0.3 Communication 2.4)', (property, value) => {
    expect(personOf({ [property]: value }, ['A', 'B'])).toStrictEqual({
      objectType: 'Person',
      name: ['A', 'B'],
      [property]: [value],
    });
  });

  it('has the name of the Agent where no other is known, and none where there is none', () => {
    const mbox = 'mailto:a@b.org';
    expect(personOf({ mbox, name: 'A' }, [])).toStrictEqual({
      objectType: 'Person',
      name: ['A'],
      mbox: [mbox],
    });
    expect(personOf({ mbox, name: 'A' }, ['B']).name).toEqual(['B']);
    expect(personOf({ mbox }, [])).toStrictEqual({ objectType: 'Person', mbox: [mbox] });
  });
});
