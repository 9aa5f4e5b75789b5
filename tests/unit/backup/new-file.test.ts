import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNewFile } from '../../../lib/backup/new-file.ts';

const { linked } = vi.hoisted(() => ({ linked: vi.fn<(from: string, to: string) => Promise<void>>() }));

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  linked.mockImplementation(actual.link);
  return { ...actual, link: linked };
});

const withoutLinks = async (): Promise<void> => {
  throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
};

describe('a new file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'new-file-'));
    file = join(folder, 'new');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has its name when it is complete, and not before', async () => {
    await createNewFile(file, async (partial) => {
      expect(existsSync(file)).toBe(false);
      await writeFile(partial, 'content');
    });
    expect(await readdir(folder)).toEqual(['new']);
    expect(await readFile(file, 'utf8')).toBe('content');
  });

  it('is created on a file system without hard links', async () => {
    linked.mockImplementationOnce(withoutLinks);
    await createNewFile(file, (partial) => writeFile(partial, 'content'));
    expect(await readdir(folder)).toEqual(['new']);
    expect(await readFile(file, 'utf8')).toBe('content');
  });

  it.each([true, false])(
    'replaces none that was created while it was written; the file system has hard links: %s',
    async (hasLinks) => {
      if (!hasLinks) linked.mockImplementationOnce(withoutLinks);
      const creation = createNewFile(file, async (partial) => {
        await writeFile(partial, 'content');
        await writeFile(file, 'theirs');
      });
      await expect(creation).rejects.toThrow(
        `${file} was created meanwhile, by a server that has started or by another program, and no file is overwritten.`,
      );
      expect(await readdir(folder)).toEqual(['new']);
      expect(await readFile(file, 'utf8')).toBe('theirs');
    },
  );

  it('is not there when it could not be written', async () => {
    const failure = new Error('the disk is full');
    await expect(createNewFile(file, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not created while a killed command has left what it wrote, which is named', async () => {
    await writeFile(`${file}.partial`, 'theirs');
    await expect(createNewFile(file, async () => {})).rejects.toThrow(
      `${file}.partial exists: another command is writing it, or one that was killed has left it behind. Delete it if no such command runs.`,
    );
    expect(await readFile(`${file}.partial`, 'utf8')).toBe('theirs');
  });
});
