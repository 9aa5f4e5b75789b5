import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesIn = (folder: string, end: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));

interface Entry {
  readonly term: string;
  readonly meaning: string;
  /** Words that must not be used for it. */
  readonly others: readonly string[];
}

const entries = read('docs/glossary.md')
  .split('\n')
  .filter((line) => /^\| (?!Term|---)/.test(line))
  .map((line): Entry => {
    const [term = '', meaning = '', not = ''] = line
      .slice(2)
      .split(' |')
      .map((cell) => cell.trim());
    return { term, meaning, others: [...not.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word) };
  });

/** Pages, messages, and the code with its comments. */
const code = ['lib', 'functions', 'config', 'migrations', 'scripts', 'ui/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => join(folder, name)),
);
const texts = [
  ...['.', 'bench', 'docs', 'docs/decisions'].flatMap((folder) => filesIn(folder, '.md')),
  ...code,
].filter((file) => file !== 'docs/glossary.md');

describe('the glossary', () => {
  it('explains each term once, in one sentence', () => {
    const terms = entries.map(({ term }) => term);
    expect(terms.length).toBeGreaterThan(30);
    expect(terms).toEqual([...new Set(terms)]);
    for (const { term, meaning } of entries) expect(meaning, term).toMatch(/^[A-Z`].*\.$/);
  });

  const replaced = entries.flatMap(({ term, others }) => others.map((other) => ({ term, other })));

  it.each(replaced)('has the term "$term", so no text and no code says "$other"', ({ other }) => {
    const word = new RegExp(`\\b${other}\\b`, 'i');
    // In code, a promise is one of JavaScript.
    const searched = other.includes('promise') ? texts.filter((file) => !code.includes(file)) : texts;
    const found = searched.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
