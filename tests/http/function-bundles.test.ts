import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { unpackFunctions } from '../emulator/package.ts';

const root = join(import.meta.dirname, '../..');

interface Output {
  readonly bytes: number;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

let outputs: Readonly<Record<string, Output>>;

beforeAll(() => {
  outputs = JSON.parse(readFileSync(join(root, 'dist/lambda-meta.json'), 'utf8')).outputs;
});

/** What is loaded together with some files. */
function loadedWith(files: readonly string[]): Map<string, Output> {
  const loaded = new Map<string, Output>();
  for (const waiting = [...files]; waiting.length > 0; ) {
    const file = waiting.pop() ?? '';
    const output = outputs[file];
    if (output === undefined || loaded.has(file)) continue;
    loaded.set(file, output);
    waiting.push(...output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path));
  }
  return loaded;
}

/** The files that hold a source. */
const holding = (source: string): string[] =>
  Object.keys(outputs).filter((file) => source in (outputs[file]?.inputs ?? {}));

const packagesOf = (loaded: ReadonlyMap<string, Output>): Set<string> =>
  new Set(
    [...loaded.values()]
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  );

/** There were 49 without `coreFirst`. */
const maximumFiles = 24;

/** It was 0.45 on two virtual cores with Node.js 20 (the nine rounds 0.43 to 0.48). */
const largestRatio = 0.75;

const heavy = ['joi', 'sequelize', 'umzug', 'jsonwebtoken', 'jose', 'pg', 'mariadb', 'bcryptjs'];

describe('the bundles of functions', () => {
  it.each(['statements', 'resources', 'administration', 'screen', 'all', 'streaming', 'background'])(
    '%s loads no large package at its start',
    (name) => {
      const packages = packagesOf(loadedWith([`dist/lambda-${name}.mjs`]));
      expect(heavy.filter((each) => packages.has(each))).toEqual([]);
    },
  );

  it('open the LRS on Postgres with its driver, and no other large package', () => {
    const opening = ['lib/function-lrs.ts', 'lib/db/dialects/postgres/engine.ts'].flatMap(holding);
    const packages = packagesOf(loadedWith(opening));
    expect(heavy.filter((each) => packages.has(each))).toEqual([]);
  });

  it('open the LRS without what speaks to a bucket', () => {
    const loaded = loadedWith([
      'dist/lambda-statements.mjs',
      'dist/lambda-resources.mjs',
      ...holding('lib/function-lrs.ts'),
    ]);
    const sources = [...loaded.values()].flatMap(({ inputs }) => Object.keys(inputs));
    expect(sources).toContain('lib/attachments/open.ts');
    expect(sources).not.toContain('lib/attachments/service.ts');
    expect(sources).not.toContain('lib/attachments/s3-object-store.ts');
    expect(packagesOf(loaded)).not.toContain('aws4fetch');
  });

  it('of statements are few files, because each takes time to load', () => {
    const opening = ['lib/function-lrs.ts', 'lib/db/dialects/postgres/engine.ts'].flatMap(holding);
    const start = loadedWith(['dist/lambda-statements.mjs', ...opening]);
    expect(start.size).toBeLessThanOrEqual(maximumFiles);
  });

  it('import no module of Node.js, which would be loaded with all that its members need', () => {
    const imported = Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ kind, path }) => kind === 'import-statement' && isBuiltin(path)),
    );
    expect(imported).toEqual([]);
  });

  it('hold no description of the API where none is asked for', () => {
    const loaded = loadedWith(['dist/lambda-administration.mjs', ...holding('lib/function-lrs.ts')]);
    const sources = [...loaded.values()].flatMap(({ inputs }) => Object.keys(inputs));
    expect(sources.filter((source) => source.startsWith('lib/openapi/operations'))).toEqual([]);
  });

  it('of statements are less than an eighth of all that functions may load', () => {
    const size = (files: Iterable<Output>) => Array.from(files).reduce((sum, { bytes }) => sum + bytes, 0);
    const start = [...loadedWith(['dist/lambda-statements.mjs', ...holding('lib/function-lrs.ts')])]
      .filter(([file]) => !file.endsWith('.map'))
      .map(([, output]) => output);
    const all = Object.entries(outputs)
      .filter(([file]) => !file.endsWith('.map'))
      .map(([, output]) => output);
    expect(size(start)).toBeLessThan(size(all) / 8);
  });

  it('of statements take far less processor time to load than Sequelize, which they do without', async () => {
    const nowhere = {
      LRS_DB_TYPE: 'postgres',
      LRS_DB_HOST: '127.0.0.1',
      LRS_DB_PORT: '1',
      LRS_DB_USER: 'lrs',
    };
    const { directory, remove } = unpackFunctions(nowhere);
    onTestFinished(remove);
    const times: { statements: number; sequelize: number }[] = [];
    for (let round = 0; round < 9; round += 1) {
      times.push({
        statements: await importTime(join(directory, 'dist/lambda-statements.mjs'), nowhere),
        sequelize: await importTime('sequelize'),
      });
    }
    const ratios = times.map(({ statements, sequelize }) => statements / sequelize).toSorted((a, b) => a - b);
    expect(ratios[4]).toBeLessThan(largestRatio);
  });
});

/** Milliseconds of processor time that a process takes to import a module. */
async function importTime(module: string, env: Readonly<Record<string, string>> = {}): Promise<number> {
  const probe = join(root, 'bench/import-probe.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [probe, module, '[]'], { env });
  return JSON.parse(stdout).importCpu;
}
