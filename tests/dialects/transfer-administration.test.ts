import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import { statement } from '../support/statements.ts';
import { createStore, importFrom, linesOf, type TestStore, temporaryFolder } from '../support/transfer.ts';

const made = '2026-01-01T00:00:00.000Z';
const head = { format: 'serverless-lrs export', version: 1, made, statements: 1, secrets: true };
const account = { id: randomUUID(), username: 'operator', passwordHash: 'a-hash' };
const pairOf = (number: number) => ({
  ...{ id: randomUUID(), account: account.id, apiKey: `key-${number}`, secretKey: `secret-${number}` },
  ...{ label: 'platform', scopes: ['all'] },
});
const ruleset = {
  identityPaths: [['actor', 'mbox']],
  conditions: { a: { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/did' } },
  template: {
    actor: { mbox: 'mailto:lrs@example.org' },
    verb: { id: 'https://example.org/v' },
    object: { id: 'https://example.org/a' },
  },
};
const reaction = { title: 'Congratulate', active: true, ruleset };
const pair = pairOf(1);

describe.each(engines)('accounts, key pairs and reactions imported into a store on $name', (engine) => {
  let to: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let imports = 0;

  beforeEach(async () => {
    folder = await temporaryFolder();
    to = await createStore(engine);
  });
  afterEach(async () => {
    await to.remove();
    await folder.remove();
  });

  async function importLines(
    lines: readonly (object | string)[],
    options: Parameters<typeof importFrom>[2] | object = {},
  ) {
    const file = join(folder.path, 'export');
    const whole = [{ export: head }, ...lines, { end: { statements: lines.length } }];
    await writeFile(
      file,
      whole.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    imports += 1;
    const own = { folder: join(folder.path, String(imports)), ...options };
    const target = storeAsTarget(to.store, { trusted: false, dry: false });
    const imported = await importFrom(await openSource(file, own), target, own);
    return { ...imported, notice: target.notice?.() };
  }

  it('are compared, and what differs is named without its value', async () => {
    const first = await importLines([{ account }, { keyPair: pair }, { reaction }]);
    expect([isClean(first.report), first.report.keyPairs]).toEqual([true, { source: 1, target: 1 }]);
    const { report, progress } = await importLines([
      { account: { ...account, passwordHash: 'another-hash' } },
      { keyPair: { ...pair, secretKey: 'another-secret', label: 'x', scopes: ['statements/read'] } },
      { reaction: { ...reaction, active: false } },
    ]);
    expect(progress.counts).toMatchObject({ account: { present: 1 }, keyPair: { present: 1 } });
    expect(report.differences).toEqual([
      { place: 'line 2', id: 'account operator', problem: 'differs: password hash' },
      { place: 'line 3', id: `key pair ${pair.id}`, problem: 'differs: secret key, label, scopes' },
      { place: 'line 4', id: 'reaction Congratulate', problem: 'differs: active' },
    ]);
    expect(JSON.stringify(report)).not.toMatch(/another-|secret-1/);
    expect(isClean(report)).toBe(false);
  });

  it('have only the scopes that exist here, and the others are named', async () => {
    const scopes = ['statements/write', 'define', 'x'.repeat(500), 5, 'a\nb'];
    const unknown = `5, a\\u000ab, define, ${'x'.repeat(40)}`;
    const lines = [{ account }, { keyPair: { ...pair, scopes } }];
    for (const counts of [{ stored: 1 }, { present: 1 }]) {
      const { report, progress } = await importLines(lines);
      expect(progress.counts.keyPair).toMatchObject(counts);
      const problem = `differs: scopes (unknown here: ${unknown})`;
      expect(report.differences).toEqual([{ place: 'line 3', id: `key pair ${pair.id}`, problem }]);
      expect(report.isOther).toBe(false);
    }
    const { credentials } = to.store.services;
    expect(await credentials.list(account.id)).toMatchObject([{ scopes: ['statements/write'] }]);
  });

  it('give an account that was here before the key pairs of the one with its name, and say so', async () => {
    await importLines([{ account }]);
    const other = { ...account, id: randomUUID() };
    const { report } = await importLines([{ account: other }, { keyPair: { ...pair, account: other.id } }]);
    expect(report.differences).toEqual([
      {
        ...{ place: 'line 2', id: 'account operator' },
        problem: 'differs: id (an account of this name was here before)',
      },
    ]);
    expect(await to.store.services.credentials.list(account.id)).toHaveLength(1);
  });

  it('take over a key pair that a start has made of the configuration, with its id, account, label and scopes', async () => {
    const { accounts, credentials } = to.store.services;
    const here = await accounts.create('configured', 'Tr1cky_pass!');
    const seed = { id: randomUUID(), accountId: here.id, label: null, scopes: ['all' as const] };
    await credentials.restore({ ...pair, ...seed });
    const lines = [{ account }, { keyPair: { ...pair, scopes: ['statements/read'] } }];
    const { progress, report, notice } = await importLines(lines);
    expect(progress.counts.keyPair).toEqual({ stored: 0, present: 1, refused: 0 });
    expect(isClean(report)).toBe(true);
    expect(report.notices).toEqual([notice]);
    expect(notice).toBe(
      `The key pair ${pair.apiKey} was here with another id. It has got the id, account and label of the source, so that its further statements have another authority, and its scopes: statements/read (before: all).`,
    );
    expect((await importLines(lines)).report.notices).toEqual([]);
    expect(await credentials.authenticate(pair.apiKey, pair.secretKey)).toMatchObject({
      ...{ credentialId: pair.id, label: 'platform', scopes: ['statements/read'] },
    });
    expect(await credentials.list(here.id)).toEqual([]);
    expect(await credentials.list(account.id)).toMatchObject([{ id: pair.id, secretKey: pair.secretKey }]);
  });

  it('take over a key pair once, which the run that continues after a crash reports, too', async () => {
    const { accounts, credentials } = to.store.services;
    const here = await accounts.create('configured', 'Tr1cky_pass!');
    const seed = { id: randomUUID(), accountId: here.id, scopes: ['all' as const] };
    await credentials.restore({ ...pair, ...seed });
    const lines = [{ account }, { keyPair: pair }, { keyPair: pairOf(2) }];
    const own = { folder: join(folder.path, 'crashed') };
    let taken = 0;
    const signal = {
      get aborted(): boolean {
        if (taken === 2) throw new Error('crash');
        taken += 1;
        return false;
      },
    };
    await expect(importLines(lines, { ...own, signal })).rejects.toThrow('crash');
    const { report } = await importLines(lines, own);
    expect(report.notices).toEqual([
      expect.stringContaining(`The key pair ${pair.apiKey} was here with another id.`),
    ]);
    expect((await importLines(lines, own)).report.notices).toEqual([]);
  });

  it('take over no key pair whose secret key is another one, or whose id is taken', async () => {
    const { credentials } = to.store.services;
    await importLines([{ account }, { keyPair: pair }, { keyPair: pairOf(2) }]);
    const other = { ...pair, id: randomUUID(), secretKey: 'another' };
    const { progress, report } = await importLines([
      { account },
      { keyPair: other },
      { keyPair: { ...other, secretKey: undefined } },
      { keyPair: { ...pairOf(2), id: pair.id } },
    ]);
    expect(progress.counts.keyPair).toEqual({ stored: 0, present: 0, refused: 3 });
    expect(report.refused.map(({ refused }) => refused)).toEqual([
      'another key pair has its API key, with another secret key',
      'another key pair has its API key',
      'another key pair has its id',
    ]);
    expect(await credentials.list(account.id)).toHaveLength(2);
  });

  it('go on between an account and its key pairs', async () => {
    await importLines([{ account }]);
    const other = { ...account, id: randomUUID() };
    const pairs = [1, 2].map((number) => ({ keyPair: { ...pairOf(number), account: other.id } }));
    const own = { folder: join(folder.path, 'interrupted') };
    let looked = 0;
    const signal = {
      get aborted() {
        looked += 1;
        return looked > 2;
      },
    };
    const interrupted = await importLines([{ account: other }, ...pairs], { ...own, signal });
    expect(interrupted.progress).toMatchObject({ complete: false, counts: { keyPair: { stored: 1 } } });
    const { progress } = await importLines([{ account: other }, ...pairs], own);
    expect(progress.counts.keyPair).toEqual({ stored: 2, present: 0, refused: 0 });
  });

  it('that cannot be stored are refused with their places, and the rest is imported', async () => {
    const document = {
      ...{
        kind: 'activities/profile',
        activityId: 'https://example.org/a',
        id: 'd',
        contentType: 'text/plain',
      },
      ...{ updated: made, content: 'eA==' },
    };
    const odd = [
      { account: { id: 'no-uuid', username: 'someone' } },
      { account: { id: randomUUID(), username: 'a\0b' } },
      { account: { id: randomUUID(), username: 'x'.repeat(256) } },
      { account: { id: randomUUID() } },
      { keyPair: { ...pairOf(2), apiKey: 'k'.repeat(256) } },
      { keyPair: { ...pairOf(2), apiKey: 'a:b' } },
      { keyPair: { ...pairOf(2), scopes: undefined } },
      { keyPair: { ...pairOf(2), label: 'a\0b' } },
      { document: { ...document, updated: 'x' } },
      { document: { ...document, id: 'a\0b' } },
      { document: { ...document, activityId: undefined } },
      { document: { ...document, contentType: 'text/plain\r\nX-Other: x' } },
      { document: { ...document, contentType: 'text/☃' } },
      { document: { ...document, kind: 'activities/state' } },
      { reaction: { ...reaction, title: 'a\0b' } },
      { reaction: { ...reaction, ruleset: 'x' } },
      `{"reaction":{"title":"deep","active":true,"ruleset":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_002)}`,
      ...[
        'null',
        '5',
        '"x"',
        '[]',
        '{"account":{}',
        {},
        { something: {} },
        { voided: true, statement: statement() },
      ],
      ...['account', 'keyPair', 'document', 'content', 'reaction'].map((name) => ({ [name]: null })),
      ...[
        { sha2: 5, data: 'eA==' },
        { sha2: 'ab'.repeat(32), data: 5 },
      ].map((content) => ({ content })),
      ...[5, {}, [null], [{ sha2: 5 }]].map((contents) => ({ statement: statement(), contents })),
      ...[5, null, { account: null }, { account: { name: 5, homePage: 7 } }, { mbox: 5 }].map((agent) => ({
        document: { ...document, kind: 'agents/profile', agent },
      })),
    ];
    const { progress, report } = await importLines([{ account }, ...odd, { statement: statement() }]);
    expect(report.refused.map(({ place }) => place).sort()).toEqual(
      odd.map((_, index) => `line ${index + 3}`).sort(),
    );
    expect(progress.counts.statement).toEqual({ stored: 1, present: 0, refused: 0 });
    expect(report.differences).toEqual([]);
    expect((await linesOf(to.store)).join('')).toContain('"username":"operator"');
  });
});
