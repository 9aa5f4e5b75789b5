import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { PasswordHasher } from '../../../lib/accounts/password-hasher.ts';
import { UnavailableError } from '../../../lib/errors.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('passwords', () => {
  it('match their hash, and each hash has its own salt', async () => {
    const hasher = new PasswordHasher();
    const [one, two] = await Promise.all([hasher.hash('pässword'), hasher.hash('pässword')]);
    expect(one).toMatch(/^\$2[ab]\$10\$/);
    expect(two).not.toBe(one);
    expect(await hasher.matches('pässword', one)).toBe(true);
    expect(await hasher.matches('pässwore', one)).toBe(false);
    expect(await hasher.matches('pässword', undefined)).toBe(false);
  });

  it('count beyond 72 bytes and beyond a NUL', async () => {
    const hasher = new PasswordHasher();
    const text = `a\0${'b'.repeat(100)}`;
    const hash = await hasher.hash(text);
    expect(await hasher.matches(text, hash)).toBe(true);
    expect(await hasher.matches(`${text}c`, hash)).toBe(false);
    expect(await hasher.matches('a', hash)).toBe(false);
  });

  it.each([
    ['of a cost that keeps the thread busy for days', `$2b$31$${'a'.repeat(53)}`],
    ['of lrsql with such a cost', `bcrypt+sha512$${'0'.repeat(32)}$31$${'0'.repeat(48)}`],
    ['of a malformed salt', `$2b$10$${'é'.repeat(53)}`],
    ['that is none', 'password'],
  ])('do not match a hash %s, which others do not wait for', async (_, hash) => {
    const hasher = new PasswordHasher();
    const known = await hasher.hash('password');
    const [match, other] = await Promise.all([
      hasher.matches('password', hash),
      hasher.matches('password', known),
    ]);
    expect([match, other]).toEqual([false, true]);
  });

  it('leave the event loop free while they are hashed', async () => {
    const hasher = new PasswordHasher();
    await hasher.hash('the thread is started');
    const before = performance.eventLoopUtilization();
    await Promise.all(Array.from({ length: 8 }, () => hasher.hash('password')));
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it.runIf(process.platform === 'linux')(
    'are hashed at a lower priority than other work of the process',
    async () => {
      await new PasswordHasher().hash('the thread is started');
      const priorities = new Map(
        readdirSync('/proc/self/task').map((id) => {
          const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
          return [Number(id), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])];
        }),
      );
      const ofProcess = getPriority();
      expect(priorities.get(process.pid)).toBe(ofProcess);
      expect(Math.max(...priorities.values())).toBe(Math.max(ofProcess, 10));
    },
  );

  it('are refused while a hundred wait, and no longer after that', async () => {
    const hasher = new PasswordHasher();
    const outcomes = Promise.allSettled(Array.from({ length: 103 }, () => hasher.matches('a', 'no hash')));
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual(Array(3).fill(expect.any(UnavailableError)));
    expect(await hasher.matches('a', await hasher.hash('a'))).toBe(true);
  });

  it('are hashed in a bundle too, which needs no packages and ends by itself', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lrs-passwords-'));
    const program = `import { PasswordHasher } from './lib/accounts/password-hasher.ts';
      const hasher = new PasswordHasher();
      console.log(await hasher.matches('password', await hasher.hash('password')));`;
    const settings = {
      bundle: true,
      platform: 'node',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
    } as const;
    await build({
      ...settings,
      stdin: { contents: program, resolveDir: root, loader: 'ts' },
      outfile: join(folder, 'program.mjs'),
      outExtension: {},
    });
    await build({
      ...settings,
      absWorkingDir: root,
      entryPoints: ['lib/accounts/password-worker.mjs'],
      outdir: folder,
    });
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')], {
      cwd: folder,
    });
    await rm(folder, { recursive: true });
    expect(stdout).toBe('true\n');
  });
});
