import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pagesIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
/** What people read in two minutes, quickly. */
const wordsInTwoMinutes = 600;
/** Tables, in which people look things up. */
const tables = /measurements|in-process-caches/;
const records = pagesIn('docs/decisions');
const pages = [...pagesIn('.'), ...pagesIn('bench'), ...pagesIn('docs'), ...records];

/** The name that a heading has in addresses, as GitHub gives it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('links and pictures of the documentation', () => {
  it.each(pages)('lead to something: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture ?? '',
    );
    const lost = targets.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(root, page) : join(root, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(lost).toEqual([]);
  });
});

describe('docs/ARCHITECTURE.md', () => {
  it('names files that exist when it says which to read', () => {
    const section = /## Which files to read\n(.*?)\n## /s.exec(
      readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8'),
    )?.[1];
    const named = [...(section ?? '').matchAll(/`[\w./-]*?([\w-]+\.ts)`/g)].map(([, name = '']) => name);
    const present = ['lib', 'functions'].flatMap((folder) =>
      readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map((name) => basename(name)),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !present.includes(name))).toEqual([]);
  });
});

describe('the decision records', () => {
  it('have numbers of their own, and every number that a text names is one of them', () => {
    const numbers = records.map((record) => basename(record).slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
    const unknown = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/(?:decision |\()(0\d{3})\b/gi)].flatMap(
        ([, number = '']) => (numbers.includes(number) ? [] : `${page}: ${number}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  it('exist when a source file names them', () => {
    const names = records.map((record) => basename(record, '.md'));
    const lost = ['lib', 'functions', 'migrations', 'config', 'scripts', 'bench', 'ui/src'].flatMap(
      (folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
          .flatMap((name) =>
            [...readFileSync(join(root, folder, name), 'utf8').matchAll(/docs\/decisions\/([\w-]+)/g)]
              .filter(
                ([, named = '']) =>
                  !names.some((record) => record === named || record.startsWith(`${named}-`)),
              )
              .map(([link]) => `${folder}/${name}: ${link}`),
          ),
    );
    expect(lost).toEqual([]);
  });

  it.each(records.filter((record) => !tables.test(record)))('can be read in two minutes: %s', (record) => {
    const words = readFileSync(join(root, record), 'utf8').split(/\s+/).length;
    expect(words).toBeLessThanOrEqual(wordsInTwoMinutes);
  });
});

describe('README.md', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');

  it('has at most two screens, and three pictures', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(80);
    expect(text.match(/<img /g)).toHaveLength(3);
  });

  it('says how to get and start the server, by git and in containers', () => {
    for (const command of ['git clone ', 'npm start', 'docker compose ']) expect(text).toContain(command);
  });
});

describe('bench/README.md', () => {
  it('has one command and one table', () => {
    const text = readFileSync(join(root, 'bench/README.md'), 'utf8');
    expect(text.match(/^```sh$/gm)).toHaveLength(1);
    expect(text.match(/^\| ---/gm)).toHaveLength(1);
  });
});
