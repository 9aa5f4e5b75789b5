import { describe, expect, inject, it } from 'vitest';
import { sourceServer } from '../attack/programs.ts';
import { databases } from './database.ts';
import { prove } from './proof.ts';
import { provenReactions, type Told } from './reactions.ts';
import { verdictOn } from './verdict.ts';

/* The short form of `npm run proof:reactions`, and that it would notice what goes wrong. */

/** Always the same learners, so that a failure can be repeated; `npm run proof:reactions -- --seed` tries others. */
const seed = 20_260_101;

/** Those whose servers are there; the setup says which are not. */
const available = databases.filter(
  (name) => name === 'sqlite' || inject(name === 'postgres' ? 'postgresUrl' : 'mariadbUrl') !== null,
);

describe('reactions of two servers that are killed at random', () => {
  it.each(available)('make every statement once, on %s', async (database) => {
    const result = await prove({ database, kills: 6, restarts: 1, seed, program: sourceServer });
    expect(result).toMatchObject({ missing: [], surplus: [], duplicates: [], lost: [], errors: [] });
    expect(result.expected).toBeGreaterThan(0);
    expect(result.acknowledged).toBeGreaterThan(0);
  });
});

describe('the verdict', () => {
  const told = (id: string, verb: string, of: readonly string[] = []): Told => ({
    id,
    verb: { id: verb },
    object: { id: 'https://proof.example.org/modules/1' },
    ...(of.length > 0 && { context: { extensions: { 'https://proof.example.org/made-of': of } } }),
  });
  const failed = ['a', 'b', 'c'].map((id) => told(id, 'http://adlnet.gov/expapi/verbs/failed'));
  const alert = told('d', 'https://proof.example.org/made/alert', ['a', 'b', 'c']);
  const echo = told('e', 'https://proof.example.org/made/echo', ['d']);

  it('is good where everything is there once', () => {
    expect(provenReactions.map(({ name }) => name)).toContain('alert');
    expect(verdictOn([[...failed, alert, echo]])).toEqual({
      ...{ expected: 2, missing: [], surplus: [], duplicates: [] },
    });
  });

  it('tells of what is missing, there twice, or there without a reason', () => {
    const again = { ...alert, id: 'f' };
    expect(verdictOn([[...failed, alert]]).missing).toEqual(['echo d']);
    expect(verdictOn([[...failed, alert, again]]).duplicates).toEqual(['alert a b c']);
    expect(verdictOn([[alert]]).surplus).toEqual(['alert a b c']);
  });
});
