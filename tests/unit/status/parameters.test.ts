import { describe, expect, it } from 'vitest';
import { readStatusParameters } from '../../../lib/status/parameters.ts';

describe('the parameters of the status', () => {
  it.each([true, false])('name each member once, however often it is asked for', (ofDefaultStore) => {
    const query = new URLSearchParams('include=timeline&include=verb-frequency&include=timeline');
    for (let count = 0; count < 600; count += 1) query.append('include', 'verb-frequency');
    const { members } = readStatusParameters(query, { ofDefaultStore });
    expect(members).toEqual(['timeline', 'verb-frequency']);
  });
});
