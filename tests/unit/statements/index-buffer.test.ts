import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bufferTable } from '../../../lib/statements/search/index-buffer.ts';

const root = join(import.meta.dirname, '../../..');

it('the write buffer of the index is named by its definition only, so no other code depends on it', () => {
  const files = ['lib', 'functions', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const naming = files.filter((file) => readFileSync(join(root, file), 'utf8').includes(bufferTable.name));
  expect(naming).toEqual(['lib/db/tables/statements.ts']);
});
