import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../lib/transfer/journal.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import {
  createStore,
  exportInto,
  fill,
  importFrom,
  linesOf,
  password,
  type TestStore,
  temporaryFolder,
  trustedTarget,
} from '../support/transfer.ts';

describe.each(engines)('an export of a store on $name', (engine) => {
  let from: TestStore;
  let to: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'export.ndjson.gz');
    from = await createStore(engine);
    to = await createStore(engine);
  });
  afterEach(async () => {
    await from.remove();
    await to.remove();
    await folder.remove();
  });

  const openExport = () => openSource(file, { folder: join(folder.path, 'import') });

  it('makes an empty store the same, with working passwords and secret keys', async () => {
    const pair = await fill(from.store);
    await exportInto(file, from.store);
    const { progress, report } = await importFrom(await openExport(), trustedTarget(to.store), {
      folder: join(folder.path, 'import'),
    });
    expect(progress.complete).toBe(true);
    expect(progress.counts.statement).toEqual({ stored: 7, present: 0, refused: 0 });
    expect(report.differences).toEqual([]);
    expect(isClean(report)).toBe(true);
    expect(report.statements).toEqual({ source: 7, target: 7 });
    expect(report.documents).toEqual({ source: 4, target: 4 });
    expect(report.hash.source).toBe(report.hash.target);
    expect(await linesOf(to.store)).toEqual(await linesOf(from.store));
    const { accounts, credentials } = to.store.services;
    expect((await accounts.login('operator-one', password)).username).toBe('operator-one');
    expect((await credentials.authenticate(pair.apiKey, pair.secretKey))?.scopes).toEqual([
      'statements/read',
      'statements/write',
    ]);
  });

  it('has neither hashes of passwords nor secret keys unless they are asked for; then pairs get new secret keys', async () => {
    const pair = await fill(from.store);
    const text = (await linesOf(from.store, { secrets: false })).join('');
    expect(text).not.toContain(pair.secretKey);
    expect(text).not.toContain('passwordHash');
    await exportInto(file, from.store, { secrets: false });
    await importFrom(await openExport(), trustedTarget(to.store), { folder: folder.path });
    const { accounts, credentials } = to.store.services;
    const [operator] = await accounts.list();
    const pairs = await credentials.list(operator?.id ?? '');
    const first = pairs.find(({ apiKey }) => apiKey === pair.apiKey);
    expect(first).toMatchObject({ label: 'the course platform' });
    expect(first?.secretKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await credentials.authenticate(pair.apiKey, pair.secretKey)).toBeUndefined();
    await expect(accounts.login('operator-one', password)).rejects.toThrow('wrong');
  });

  it('changes nothing when it is imported again, or in a dry run', async () => {
    await fill(from.store);
    await exportInto(file, from.store);
    const source = await openExport();
    const dry = storeAsTarget(to.store, { trusted: true, dry: true });
    const foreseen = await importFrom(source, dry, { folder: join(folder.path, 'dry') });
    expect(foreseen.progress.counts.statement?.stored).toBe(7);
    expect(await linesOf(to.store)).toHaveLength(2);
    expect(await readdir(folder.path)).not.toContain('dry');
    await importFrom(source, trustedTarget(to.store), { folder: folder.path });
    const again = await importFrom(source, trustedTarget(to.store), { folder: folder.path });
    expect(again.progress.counts.statement).toEqual({ stored: 0, present: 7, refused: 0 });
    expect(await linesOf(to.store)).toEqual(await linesOf(from.store));
  });

  it('that lacks a line or has one twice ends with an error, after the other lines are imported', async () => {
    await fill(from.store);
    const lines = await linesOf(from.store);
    const isStatement = (line: string): boolean => line.startsWith('{"statement":');
    const first = lines.find(isStatement);
    const target = storeAsTarget(to.store, { trusted: false, dry: false });
    const lacking = lines.filter((line) => line !== first);
    const repeating = lines.flatMap((line) => (line === first ? [line, line] : line));
    for (const [name, changed] of Object.entries({ lacking, repeating })) {
      await writeFile(file, gzipSync(changed.join('')));
      const own = { folder: join(folder.path, name) };
      await expect(importFrom(await openExport(), target, own)).rejects.toThrow(
        /is not complete, or was changed: it has \d+ records, and its last line tells of \d+\./,
      );
      expect(await new Journal(own.folder).load()).toMatchObject({ complete: false });
      const here = (await linesOf(to.store)).filter(isStatement);
      expect(here).toHaveLength(new Set(changed.filter(isStatement)).size);
    }
  });

  it('continues after an interruption, with the contents of attachments that came before it', async () => {
    await fill(from.store);
    await exportInto(file, from.store);
    const source = await openExport();
    let looked = 0;
    const signal = {
      get aborted() {
        looked += 1;
        return looked > 14;
      },
    };
    const options = { folder: join(folder.path, 'import') };
    const interrupted = await importFrom(source, trustedTarget(to.store), { ...options, signal });
    expect(interrupted.progress.complete).toBe(false);
    expect(interrupted.progress.counts.statement?.stored).toBeGreaterThan(0);
    const finished = await importFrom(source, trustedTarget(to.store), options);
    expect(finished.progress.complete).toBe(true);
    expect(isClean(finished.report)).toBe(true);
    expect(await linesOf(to.store)).toEqual(await linesOf(from.store));
  });
});
