import { describe, expect, it } from 'vitest';
import { likelyMeant } from '../../lib/nearest.ts';
import { leastProcessorTimes } from '../support/processor-time.ts';

const names = ['id', 'display', 'contextActivities', 'mbox_sha1sum'];

describe('likelyMeant', () => {
  it.each([
    ['Display', 'display'],
    ['displya', 'display'],
    ['dsplay', 'display'],
    ['ids', 'id'],
    ['contextActivity', 'contextActivities'],
    ['mbox_sha1', 'mbox_sha1sum'],
  ])('finds for %s the name %s', (written, meant) => {
    expect(likelyMeant(written, names)).toBe(meant);
  });

  it.each(['', 'name', 'extensions', 'objectType', 'is', 'di', 'd', 'play'])(
    'finds no name for %s',
    (written) => {
      expect(likelyMeant(written, names)).toBeUndefined();
    },
  );

  it.each([
    ['one edit in three letters', 'asd', 'asc'],
    ['one edit in seven', 'fromats', 'formats'],
    ['two edits in eight', 'regstrtn', 'registrn'],
    ['three edits in twelve', 'attachmnt', 'attachmentsx'],
  ])('takes %s for a misspelling: %s of %s', (_, written, meant) => {
    expect(likelyMeant(written, [meant])).toBe(meant);
  });

  it.each([
    ['one edit in two letters', 'b', 'a'],
    ['one edit in two letters', 'ob', 'of'],
    ['two edits in six', 'subject', 'object'],
    ['two edits in five', 'actor', 'aktro'],
    ['two edits in seven', 'actions', 'actor'],
    ['four edits in twelve', 'attachme', 'attachmentsx'],
    ['a word that merely ends alike', 'expiration', 'registration'],
    ['a word that merely begins alike', 'contextAgents', 'contextActivities'],
  ])('does not take %s for a misspelling: %s of %s', (_, written, other) => {
    expect(likelyMeant(written, [other])).toBeUndefined();
  });

  it('prefers the name with fewer edits to one that is allowed more', () => {
    expect(likelyMeant('activit', ['activities', 'activity'])).toBe('activity');
  });

  it('does not search for a name of a million characters', () => {
    expect(
      likelyMeant(`display${'y'.repeat(1_000_000)}`, ['display', 'y'.repeat(1_000_000)]),
    ).toBeUndefined();
  });

  it('finds nothing among no names', () => {
    expect(likelyMeant('id', [])).toBeUndefined();
  });

  it('takes no longer for candidates that are far longer than the name', async () => {
    const name = 'x'.repeat(60);
    const ofLength = (length: number) =>
      Array.from({ length: 50 }, (_, index) => String(index).padEnd(length, 'y'));
    const [short, long] = [ofLength(70), ofLength(20_000)];
    const [least = 0, most = 0] = await leastProcessorTimes(
      () => likelyMeant(name, short),
      () => likelyMeant(name, long),
    );
    expect(most).toBeLessThan(10 * least + 5);
  });
});
