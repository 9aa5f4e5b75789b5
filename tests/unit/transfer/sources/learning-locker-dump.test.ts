import type * as fs from 'node:fs';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { learningLockerDump } from '../../../../lib/transfer/sources/learning-locker-dump.ts';

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>();
  const readdirSync = (path: string, ...options: never[]) => {
    // The tests may run as a user who may read everything.
    if (!path.includes('closed')) return original.readdirSync(path, ...options);
    throw Object.assign(new Error(`EACCES: permission denied, scandir '${path}'`), { code: 'EACCES' });
  };
  return { ...original, readdirSync };
});

describe('a dump of Learning Locker', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dump-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is named where it is in a folder beside one that cannot be read', () => {
    for (const name of ['closed', 'learninglocker_v2']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'learninglocker_v2', 'statements.bson'), '');
    expect(() => learningLockerDump(folder, {})).toThrow(
      `The folder ${folder} holds no dump itself, but ${join(folder, 'learninglocker_v2')} does`,
    );
  });

  it('in a folder that cannot be read is refused with a sentence', () => {
    const closed = join(folder, 'closed');
    expect(() => learningLockerDump(closed, {})).toThrow(`The folder ${closed} cannot be read: EACCES.`);
  });
});
