import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenHolder } from '../../../lib/accounts/types.ts';
import { NotFoundError, UnauthenticatedError } from '../../../lib/errors.ts';
import { type Administration, loginOf, openAdministration } from '../../support/administration.ts';

let folder: string;
let dbName: string;
let here: Administration;
let elsewhere: Administration;
let owner: TokenHolder;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lrs-credentials-'));
  dbName = join(folder, 'lrs.sqlite');
  here = await openAdministration({ dbName });
  elsewhere = await openAdministration({ dbName });
  owner = await here.accounts.create('someadmin', 'Tr1cky_pass!');
});
afterEach(async () => {
  await here.db.close();
  await elsewhere.db.close();
  rmSync(folder, { recursive: true });
});

describe('a key pair', () => {
  it('is two times 32 random bytes in hex, and has the scopes and label it was made with', async () => {
    const made = await here.credentials.create(loginOf(owner), ['state', 'statements/write'], 'LMS');
    expect(made.apiKey).toMatch(/^[0-9a-f]{64}$/);
    expect(made.secretKey).toMatch(/^[0-9a-f]{64}$/);
    expect(made.secretKey).not.toBe(made.apiKey);
    const [listed] = await elsewhere.credentials.list(owner.id);
    expect(listed).toEqual({ ...made, scopes: ['statements/write', 'state'], label: 'LMS', seed: false });
  });

  it('is listed for its account only, oldest first', async () => {
    const other = await here.accounts.create('otheradmin', 'Tr1cky_pass!');
    const made = [];
    for (const label of ['one', 'two', 'three']) {
      made.push(await here.credentials.create(loginOf(owner), [], label));
      await sleep(2);
    }
    expect(await here.credentials.list(owner.id)).toEqual(made);
    expect(await here.credentials.list(other.id)).toEqual([]);
  });

  it('is not made for an account that has been deleted meanwhile', async () => {
    const gone = await here.accounts.create('otheradmin', 'Tr1cky_pass!');
    await elsewhere.accounts.delete(gone.id);
    await expect(here.credentials.create(loginOf(gone), ['all'], null)).rejects.toThrow(UnauthenticatedError);
  });

  it('is not made, changed or deleted with a token that has been revoked meanwhile', async () => {
    const { tokenGeneration: generation } = owner;
    const caller = { account: owner, token: { id: 'revoked', refreshUntil: undefined, generation } };
    const pair = await here.credentials.create(caller, ['all'], null);
    await elsewhere.accounts.revokeTokens(owner.id);
    for (const attempt of [
      here.credentials.create(caller, ['all'], null),
      here.credentials.update(caller, pair, { scopes: [], label: null }),
      here.credentials.delete(caller, pair),
    ]) {
      await expect(attempt).rejects.toThrow(UnauthenticatedError);
    }
    expect(await here.credentials.list(owner.id)).toEqual([pair]);
  });

  it('stays in the list, without its secret key, when the credentialKey has changed, and can be deleted', async () => {
    const lost = await here.credentials.create(loginOf(owner), ['all'], 'lost');
    const changed = await openAdministration({ dbName, credentialKey: 'another' });
    try {
      expect(await changed.credentials.countUnreadable()).toBe(1);
      const made = await changed.credentials.create(loginOf(owner), ['all'], 'new');
      expect(await changed.credentials.list(owner.id)).toEqual([{ ...lost, secretKey: null }, made]);
      expect(await changed.credentials.authenticate(lost.apiKey, lost.secretKey)).toBeUndefined();
      expect(await changed.credentials.authenticate(made.apiKey, made.secretKey)).toBeDefined();
      const other = await here.accounts.create('otheradmin', 'Tr1cky_pass!');
      const pair = { apiKey: lost.apiKey, secretKey: 'any' };
      await expect(changed.credentials.delete(loginOf(other), pair)).rejects.toThrow(NotFoundError);
      await changed.credentials.delete(loginOf(owner), pair);
      expect(await changed.credentials.list(owner.id)).toEqual([made]);
      expect(await changed.credentials.countUnreadable()).toBe(0);
    } finally {
      await changed.db.close();
    }
  });

  it('authenticates, and speaks for an agent of its own', async () => {
    const { id, apiKey, secretKey } = await here.credentials.create(loginOf(owner), ['all/read'], null);
    expect(await here.credentials.authenticate(apiKey, secretKey)).toEqual({
      credentialId: id,
      label: `${apiKey.slice(0, 8)}…`,
      scopes: ['all/read'],
      authority: { objectType: 'Agent', account: { homePage: 'https://lrs.example', name: id } },
    });
  });

  it('authenticates as a whole only', async () => {
    const { apiKey, secretKey } = await here.credentials.create(loginOf(owner), ['all'], null);
    await here.credentials.authenticate(apiKey, secretKey);
    const wrong = [
      [apiKey, `${secretKey}0`],
      [apiKey, ''],
      [apiKey, secretKey.toUpperCase()],
      [secretKey, apiKey],
      ['', ''],
      [apiKey + secretKey, ''],
      [apiKey.slice(0, -1), apiKey.slice(-1) + secretKey],
    ] as const;
    for (const [key, secret] of wrong)
      expect(await here.credentials.authenticate(key, secret)).toBeUndefined();
  });

  it('changes scopes and label, at once here and within a second elsewhere', async () => {
    const pair = await here.credentials.create(loginOf(owner), ['all'], 'LMS');
    await here.credentials.authenticate(pair.apiKey, pair.secretKey);
    await elsewhere.credentials.authenticate(pair.apiKey, pair.secretKey);
    const changed = await here.credentials.update(loginOf(owner), pair, {
      scopes: ['state/read'],
      label: null,
    });
    expect(changed).toEqual({ ...pair, scopes: ['state/read'], label: null });
    expect(await here.credentials.list(owner.id)).toEqual([changed]);
    expect((await here.credentials.authenticate(pair.apiKey, pair.secretKey))?.scopes).toEqual([
      'state/read',
    ]);
    await sleep(1010);
    expect((await elsewhere.credentials.authenticate(pair.apiKey, pair.secretKey))?.scopes).toEqual([
      'state/read',
    ]);
  });

  it('counts no more once it is deleted, at once here and within a second elsewhere', async () => {
    const pair = await here.credentials.create(loginOf(owner), ['all'], null);
    await here.credentials.authenticate(pair.apiKey, pair.secretKey);
    await elsewhere.credentials.authenticate(pair.apiKey, pair.secretKey);
    await here.credentials.delete(loginOf(owner), pair);
    expect(await here.credentials.authenticate(pair.apiKey, pair.secretKey)).toBeUndefined();
    await sleep(1010);
    expect(await elsewhere.credentials.authenticate(pair.apiKey, pair.secretKey)).toBeUndefined();
  });

  it('is not found when it is unknown, another account’s, or only half right', async () => {
    const other = await here.accounts.create('otheradmin', 'Tr1cky_pass!');
    const pair = await here.credentials.create(loginOf(owner), ['all'], null);
    const change = { scopes: [], label: null };
    const attempts = [
      [other, pair],
      [owner, { ...pair, secretKey: 'wrong' }],
      [owner, { ...pair, apiKey: 'wrong' }],
    ] as const;
    for (const [account, attempt] of attempts) {
      await expect(here.credentials.update(loginOf(account), attempt, change)).rejects.toThrow(NotFoundError);
      await expect(here.credentials.delete(loginOf(account), attempt)).rejects.toThrow(NotFoundError);
    }
    expect(await here.credentials.list(owner.id)).toEqual([pair]);
  });

  it('is known at once after it was asked for in vain', async () => {
    const seedPair = { apiKey: 'seed-key', secretKey: 'seed-secret' };
    const seeding = await openAdministration({
      dbName,
      seedPair,
      firstAccount: { username: 'b', password: 'b' },
    });
    expect(await here.credentials.authenticate('seed-key', 'seed-secret')).toBeUndefined();
    await seeding.accounts.bootstrap();
    expect(await here.credentials.authenticate('seed-key', 'seed-secret')).toBeDefined();
    await seeding.db.close();
  });
});

describe('the secret key at rest', () => {
  it('is nowhere in the files of the database', async () => {
    const { apiKey, secretKey } = await here.credentials.create(loginOf(owner), ['all'], null);
    const files = ['', '-wal'].map((suffix) => readFileSync(dbName + suffix).toString('latin1')).join('');
    expect(files).toContain(apiKey);
    expect(files).not.toContain(secretKey);
    expect(files).not.toContain(Buffer.from(secretKey, 'hex').toString('latin1'));
  });

  it('is of no use with another key: no login, and it is not shown', async () => {
    const { apiKey, secretKey } = await here.credentials.create(loginOf(owner), ['all'], null);
    const stranger = await openAdministration({ dbName, credentialKey: 'another' });
    expect(await stranger.credentials.authenticate(apiKey, secretKey)).toBeUndefined();
    expect((await stranger.credentials.list(owner.id)).map((each) => each.secretKey)).toEqual([null]);
    await stranger.db.close();
  });
});
