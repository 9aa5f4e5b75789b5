import { describe, expect, it } from 'vitest';
import { likelyMeant, nearest } from '../../lib/nearest.ts';

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

  it.each(['', 'name', 'extensions', 'objectType'])('finds no name for %s', (written) => {
    expect(likelyMeant(written, names)).toBeUndefined();
  });

  it('does not search for a name of a million characters', () => {
    expect(
      likelyMeant(`display${'y'.repeat(1_000_000)}`, ['display', 'y'.repeat(1_000_000)]),
    ).toBeUndefined();
  });

  it('finds nothing among no names', () => {
    expect(likelyMeant('id', [])).toBeUndefined();
  });
});

describe('nearest', () => {
  it('finds a name however far it is', () => {
    expect(nearest('mbox', names)).toBe('id');
    expect(nearest('DISPLAYS', names)).toBe('display');
  });
});
