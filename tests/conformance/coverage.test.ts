import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyAdministration } from '../support/admin-client.ts';
import { chapters } from './chapters.ts';
import { facts, routes } from './lrsql-reactions/fact.ts';
import { lrsqlFacts, withDifferences } from './lrsql-reactions/facts.ts';
import { conformancePage } from './page.ts';
import { type TestName, titlePattern } from './requirement.ts';
import { titlesOf } from './titles.ts';

const requirements = chapters.flatMap((chapter) => chapter.requirements);
const named = requirements.flatMap(({ tests }) => tests);
const namedByFacts = lrsqlFacts.flatMap(({ tests }) => tests);

let titles: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  titles = await titlesOf([...new Set([...named, ...namedByFacts].map(({ file }) => file))]);
});

/** @param place what the title contains besides. */
function exists(test: TestName, place = ''): boolean {
  return (titles.get(test.file) ?? []).some(
    (title) => title.includes(place) && titlePattern(test).test(title),
  );
}

function page(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

describe('the requirements', () => {
  it('each have a place of their own and at least one test', () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(requirements.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('name only tests that exist', () => {
    expect(named.filter((test) => !exists(test))).toEqual([]);
  });

  it('are what docs/conformance.md says (npm run generate:conformance writes it)', () => {
    expect(page('conformance.md')).toBe(conformancePage());
  });
});

describe('the facts of the reactions of lrsql', () => {
  /** These run everywhere by themselves. */
  const everywhere: ReadonlySet<string> = new Set([facts(''), routes('')].map(({ file }) => file));

  it('each have a place of their own and at least one test', () => {
    const ids = lrsqlFacts.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(lrsqlFacts.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('name only tests that exist, and those over HTTP run on every engine, as Lambda events and through the adapter', () => {
    const missing = namedByFacts.flatMap((test) => {
      const places = everywhere.has(test.file) ? everyAdministration.map(({ name }) => name) : [''];
      return places.filter((place) => !exists(test, place)).map((place) => ({ ...test, place }));
    });
    expect(missing).toEqual([]);
  });

  it('are all that their tests are named after', () => {
    const wanted = new Set(namedByFacts.map(({ title }) => title.match(/^section [\d.]+: /)?.[0]));
    const { file } = facts('');
    const unknown = titles.get(file)?.filter((title) => !wanted.has(title.match(/section [\d.]+: /)?.[0]));
    expect(unknown).toEqual([]);
  });

  it('differ from what is done here as docs/reactions.md says (npm run generate:conformance writes its table)', () => {
    const written = page('reactions.md');
    expect(written).toBe(withDifferences(written));
  });
});
