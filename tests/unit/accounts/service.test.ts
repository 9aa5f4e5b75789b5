import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertAccount } from '../../../lib/accounts/store.ts';
import type { AdminAccount } from '../../../lib/accounts/types.ts';
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  UnauthenticatedError,
} from '../../../lib/errors.ts';
import {
  type Administration,
  type AdministrationOptions,
  loginOf,
  openAdministration,
} from '../../support/administration.ts';
import { leastProcessorTimes } from '../../support/processor-time.ts';

const password = 'Tr1cky_pass!';
let folder: string;
const open: Administration[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lrs-accounts-'));
});
afterEach(async () => {
  for (const { db } of open.splice(0)) await db.close();
  rmSync(folder, { recursive: true });
});

async function administration(options: AdministrationOptions = {}): Promise<Administration> {
  const opened = await openAdministration(options);
  open.push(opened);
  return opened;
}

/** Two processes on one file, the second one with the same options unless others are given. */
async function twoInstances(
  options: AdministrationOptions = {},
  others = options,
): Promise<[Administration, Administration]> {
  const dbName = join(folder, 'lrs.sqlite');
  return [await administration({ ...options, dbName }), await administration({ ...others, dbName })];
}

const shown = ({ id, username }: AdminAccount): AdminAccount => ({ id, username });

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('whether there is any account', () => {
  it('is looked at each time until there is one, and then never again', async () => {
    const { accounts, db } = await administration();
    expect(await accounts.exist()).toBe(false);
    await accounts.create('somebody', password);
    expect(await accounts.exist()).toBe(true);
    await db.write((session) => session.execute('DELETE FROM admin_account'));
    expect(await accounts.exist()).toBe(true);
  });
});

describe('as many accounts as may be', () => {
  it('keep out whoever another system vouches for and has none yet, and nobody who has one', async () => {
    const { accounts } = await administration({ maxAccounts: 1, externalLogins: true });
    const issuer = 'https://idp.example';
    const known = await accounts.external({ username: 'known', issuer });
    const refused = await rejection(accounts.external({ username: 'new', issuer }));
    expect(refused).toBeInstanceOf(ForbiddenError);
    expect(refused).toMatchObject({ message: expect.stringContaining('LRS_ACCOUNT_MAX_COUNT') });
    expect(await accounts.external({ username: 'known', issuer })).toEqual(known);
    expect(await accounts.list()).toEqual([known]);
  });

  it('do not keep out the account of the configuration, with which an operator comes back in', async () => {
    const dbName = join(folder, 'lrs.sqlite');
    const before = await administration({ dbName, maxAccounts: 1 });
    await before.accounts.create('forgotten', password);
    const firstAccount = { username: 'opsadmin', password };
    const { accounts } = await administration({ dbName, maxAccounts: 1, firstAccount });
    await accounts.bootstrap();
    expect(await accounts.login('opsadmin', password)).toMatchObject({ username: 'opsadmin' });
  });
});

describe('an account', () => {
  it('logs in with its password and no other', async () => {
    const { accounts } = await administration();
    const account = await accounts.create('some.admin@example.org', password);
    expect(account.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await accounts.login('some.admin@example.org', password)).toEqual(account);
    const wrong = await rejection(accounts.login('some.admin@example.org', `${password}x`));
    const nobody = await rejection(accounts.login('SOME.admin@example.org', password));
    expect(wrong).toBeInstanceOf(UnauthenticatedError);
    expect(nobody).toEqual(wrong);
  });

  it('has a password of which every byte counts', async () => {
    const { accounts } = await administration();
    const long = `${password}${'ä'.repeat(100)}`;
    await accounts.create('longpassword', long);
    expect((await accounts.login('longpassword', long)).username).toBe('longpassword');
    await expect(accounts.login('longpassword', `${long.slice(0, -1)}ö`)).rejects.toThrow(
      UnauthenticatedError,
    );
  });

  it('takes as much work to refuse for an unknown name as for a wrong password', async () => {
    const { accounts } = await administration();
    await accounts.create('someadmin', password);
    const refusal = (username: string) => () => rejection(accounts.login(username, 'wrong'));
    const [unknown = 0, wrong = 0] = await leastProcessorTimes(refusal('nosuchadmin'), refusal('someadmin'));
    const ratio = unknown / wrong;
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it('is refused with one detail for every broken rule, which does not show the password', async () => {
    const { accounts } = await administration();
    const error = await rejection(accounts.create('short', 'ÄÖÜ-~'));
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({
      details: [
        { path: 'username', message: 'must have at least 7 characters' },
        { path: 'password', message: 'must have at least 10 characters' },
        { path: 'password', message: 'must contain a lower case letter (a-z)' },
        { path: 'password', message: 'must contain an upper case letter (A-Z)' },
        { path: 'password', message: 'must contain a digit (0-9)' },
      ],
    });
    expect(String(error)).not.toContain('ÄÖÜ');
    expect(await rejection(accounts.create('someadmin', 'Abcdefgh12'))).toMatchObject({
      details: [{ path: 'password', message: 'must contain one of !@#$%^&*_-+=?' }],
    });
    expect(await rejection(accounts.create(`tab\tbed ${'x'.repeat(250)}`, password))).toMatchObject({
      details: [
        { path: 'username', message: 'must have at most 255 characters' },
        { path: 'username', message: 'must not contain control characters' },
      ],
    });
    expect(await accounts.list()).toEqual([]);
  });

  it('has a name of its own, also when several processes create it at once', async () => {
    const [one, two] = await twoInstances();
    const outcomes = await Promise.all(
      [one, two, one, two].map(({ accounts }) => rejection(accounts.create('someadmin', password))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome instanceof ConflictError)).toHaveLength(3);
    expect(await two.accounts.list()).toHaveLength(1);
  });

  it('is listed and found by its id, without its password', async () => {
    const { accounts } = await administration();
    const second = await accounts.create('secondadmin', password);
    const first = await accounts.create('firstadmin', password);
    expect(await accounts.list()).toEqual([shown(first), shown(second)]);
    expect(await accounts.find(second.id)).toEqual(second);
    expect(await accounts.find('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });
});

describe('an account that is vouched for elsewhere', () => {
  const identity = { username: 'ann', issuer: 'https://sso.example' };

  it('is made when it is asked for first, once, whatever its name is like', async () => {
    const [one, two] = await twoInstances();
    const made = await Promise.all([one, two, one, two].map(({ accounts }) => accounts.external(identity)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await one.accounts.list()).toEqual([made[0]]);
  });

  it('belongs to its issuer', async () => {
    const { accounts } = await administration();
    await accounts.external(identity);
    await accounts.create('localadmin', password);
    for (const other of [
      { ...identity, issuer: 'https://other.example' },
      { ...identity, username: 'localadmin' },
      { ...identity, username: 'a'.repeat(256) },
    ]) {
      await expect(accounts.external(other)).rejects.toThrow(UnauthenticatedError);
    }
  });

  it('has no password: none logs in, none can be changed', async () => {
    const { accounts } = await administration();
    const account = await accounts.external(identity);
    for (const guess of ['', ' ', 'undefined', 'null']) {
      await expect(accounts.login('ann', guess)).rejects.toThrow(UnauthenticatedError);
    }
    const change = { oldPassword: '', newPassword: password, client: undefined };
    await expect(accounts.changePassword({ account, token: undefined }, change)).rejects.toThrow(
      InvalidError,
    );
    await expect(accounts.resetPassword(account.id, password)).rejects.toThrow('logs in elsewhere');
  });
});

describe('an account that was imported without a password', () => {
  it('logs in when it has been given one', async () => {
    const { db, accounts } = await administration();
    const id = randomUUID();
    const imported = { id, username: 'imported', passwordHash: undefined, issuer: null };
    await db.write((session) => insertAccount(session, imported));
    await accounts.resetPassword(id, password);
    expect(await accounts.login('imported', password)).toMatchObject({ id });
  });
});

describe('a token that is revoked while a request waits', () => {
  it('gives no right to set a password, nor to create or delete an account, unless a new own password has kept it', async () => {
    const [here, elsewhere] = await twoInstances();
    const account = await here.accounts.create('someadmin', password);
    const other = await here.accounts.create('otheradmin', password);
    const withToken = (id: string) => ({
      account,
      token: { id, refreshUntil: undefined, generation: account.tokenGeneration },
    });
    const kept = withToken('kept');
    const revoked = withToken('revoked');
    const change = { oldPassword: password, newPassword: 'Ch4nged-it-now', client: undefined };
    await elsewhere.accounts.changePassword(kept, change);
    await expect(here.accounts.resetPassword(other.id, 'An0ther_pass!', revoked)).rejects.toThrow(
      UnauthenticatedError,
    );
    await expect(here.accounts.create('lateadmin', password, revoked)).rejects.toThrow(UnauthenticatedError);
    await expect(here.accounts.delete(other.id, revoked)).rejects.toThrow(UnauthenticatedError);
    await here.accounts.login('otheradmin', password);
    await here.accounts.resetPassword(other.id, 'An0ther_pass!', kept);
    await elsewhere.accounts.revokeTokens(account.id);
    await expect(here.accounts.resetPassword(other.id, password, kept)).rejects.toThrow(UnauthenticatedError);
    expect(await here.accounts.list()).toHaveLength(2);
    await here.accounts.login('otheradmin', 'An0ther_pass!');
  });

  it('gives no right to change the own password, and is not kept by that', async () => {
    const [here, elsewhere] = await twoInstances();
    const account = await here.accounts.create('someadmin', password);
    const token = { id: 'revoked', refreshUntil: undefined, generation: account.tokenGeneration };
    await elsewhere.accounts.revokeTokens(account.id);
    const change = { oldPassword: password, newPassword: 'Ch4nged-it-now', client: undefined };
    await expect(here.accounts.changePassword({ account, token }, change)).rejects.toThrow(
      'The token was revoked meanwhile',
    );
    expect(await here.accounts.find(account.id)).toMatchObject({ keptToken: null });
    await here.accounts.login('someadmin', password);
  });
});

describe('deleting an account', () => {
  it('deletes its credentials too, at once', async () => {
    const { accounts, credentials } = await administration();
    const [leaving, staying] = [
      await accounts.create('leaving', password),
      await accounts.create('staying', password),
    ];
    const gone = await credentials.create(loginOf(leaving), ['all'], null);
    const kept = await credentials.create(loginOf(staying), ['all'], null);
    expect(await credentials.authenticate(gone.apiKey, gone.secretKey)).toBeDefined();
    await accounts.delete(leaving.id);
    expect(await accounts.list()).toEqual([shown(staying)]);
    expect(await credentials.authenticate(gone.apiKey, gone.secretKey)).toBeUndefined();
    expect(await credentials.authenticate(kept.apiKey, kept.secretKey)).toBeDefined();
  });

  it('takes from it the right to create, change and delete others, at once', async () => {
    const [here, elsewhere] = await twoInstances();
    const creator = await here.accounts.create('someadmin', password);
    const caller = { account: creator, token: undefined };
    const other = await here.accounts.create('otheradmin', password, caller);
    await elsewhere.accounts.delete(creator.id);
    await expect(here.accounts.create('lateadmin', password, caller)).rejects.toThrow(UnauthenticatedError);
    await expect(here.accounts.resetPassword(other.id, 'Ch4nged-it-now', caller)).rejects.toThrow(
      UnauthenticatedError,
    );
    await expect(here.accounts.delete(other.id, caller)).rejects.toThrow(UnauthenticatedError);
    expect((await here.accounts.list()).map(({ username }) => username)).toEqual(['otheradmin']);
    await here.accounts.login('otheradmin', password);
  });

  it('is refused for the only one and for one that does not exist', async () => {
    const { accounts } = await administration();
    const only = await accounts.create('onlyadmin', password);
    await expect(accounts.delete(only.id)).rejects.toThrow(InvalidError);
    await expect(accounts.delete('00000000-0000-4000-8000-000000000000')).rejects.toThrow(NotFoundError);
    expect(await accounts.list()).toEqual([shown(only)]);
  });

  it('is refused for the last one with a password, unless people are vouched for elsewhere', async () => {
    const strict = await administration();
    const local = await strict.accounts.create('onlyadmin', password);
    await strict.accounts.external({ username: 'ann', issuer: 'https://sso.example' });
    await expect(strict.accounts.delete(local.id)).rejects.toThrow(InvalidError);
    const open = await administration({ externalLogins: true });
    const other = await open.accounts.create('onlyadmin', password);
    const ann = await open.accounts.external({ username: 'ann', issuer: 'https://sso.example' });
    await open.accounts.delete(other.id);
    await expect(open.accounts.delete(ann.id)).rejects.toThrow(InvalidError);
    expect(await open.accounts.list()).toEqual([ann]);
  });

  it('leaves one of two that are deleted by two processes at the same moment', async () => {
    const [one, two] = await twoInstances();
    const ids = [
      await one.accounts.create('firstadmin', password),
      await one.accounts.create('secondadmin', password),
    ];
    const outcomes = await Promise.all([
      rejection(one.accounts.delete(ids[0]?.id ?? '')),
      rejection(two.accounts.delete(ids[1]?.id ?? '')),
    ]);
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(await one.accounts.list()).toHaveLength(1);
  });
});

describe('the first account', () => {
  const firstAccount = { username: 'boot', password: 'hidden' };
  const seedPair = { apiKey: 'seed-key', secretKey: 'seed-secret' };

  it('is taken as configured, with a warning that names the rules it breaks and not the password', async () => {
    const { accounts, log } = await administration({ firstAccount });
    await accounts.bootstrap();
    expect(await accounts.login('boot', 'hidden')).toMatchObject({ username: 'boot' });
    expect(log.join()).toContain(
      'username must have at least 7 characters; password must have at least 10 characters',
    );
    expect(log.join()).not.toContain('hidden');
  });

  it('causes no warning when it keeps the rules', async () => {
    const { accounts, log } = await administration({ firstAccount: { username: 'firstadmin', password } });
    await accounts.bootstrap();
    expect(log.join()).not.toContain('breaks');
    expect(await accounts.list()).toHaveLength(1);
  });

  it('causes a warning when its password is the example of the documentation', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    const [, example = ''] = /LRS_ADMIN_PASS_DEFAULT='([^']+)'/.exec(readme) ?? [];
    const { accounts, log } = await administration({
      firstAccount: { username: 'firstadmin', password: example },
    });
    await accounts.bootstrap();
    expect(log.join()).toContain('is the example of the documentation');
    expect(log.join()).not.toContain(example);
  });

  it('causes a warning when it comes without the configured key pair, because it exists already', async () => {
    const plain = { firstAccount: { username: 'firstadmin', password } };
    const [before, after] = await twoInstances(plain, { ...plain, seedPair });
    await before.accounts.bootstrap();
    expect(before.log).not.toContainEqual(expect.stringContaining('apiKeyDefault'));
    await after.accounts.bootstrap();
    expect(after.log).toContainEqual(expect.stringContaining('lrs.apiKeyDefault has no effect'));
    expect(after.log.join()).not.toContain(seedPair.secretKey);
  });

  it('causes no warning when it has brought the configured key pair', async () => {
    const [before, after] = await twoInstances({ firstAccount, seedPair });
    await before.accounts.bootstrap();
    await after.accounts.bootstrap();
    expect([...before.log, ...after.log]).not.toContainEqual(expect.stringContaining('apiKeyDefault'));
  });

  it('brings the configured key pair only at the moment when it is made', async () => {
    const { accounts, credentials } = await administration({ firstAccount, seedPair });
    await accounts.bootstrap();
    const [account = { id: '', username: '' }] = await accounts.list();
    expect(await credentials.list(account.id)).toMatchObject([
      { ...seedPair, scopes: ['all'], label: null, seed: true },
    ]);
    await credentials.delete(loginOf(account), seedPair);
    await accounts.bootstrap();
    expect(await credentials.list(account.id)).toEqual([]);
  });

  it('is left as it is when its name is taken', async () => {
    const [before, after] = await twoInstances({ firstAccount: { username: 'firstadmin', password } });
    await before.accounts.bootstrap();
    const [account] = await before.accounts.list();
    await after.accounts.bootstrap();
    expect(await after.accounts.list()).toEqual([account]);
  });

  it('is made once by processes that start at once', async () => {
    const [one, two] = await twoInstances({ firstAccount, seedPair });
    await Promise.all([one.accounts.bootstrap(), two.accounts.bootstrap()]);
    const accounts = await one.accounts.list();
    expect(accounts).toHaveLength(1);
    expect(await two.credentials.list(accounts[0]?.id ?? '')).toHaveLength(1);
  });

  it('is not made without a configuration', async () => {
    const { accounts } = await administration();
    await accounts.bootstrap();
    expect(await accounts.list()).toEqual([]);
  });
});
