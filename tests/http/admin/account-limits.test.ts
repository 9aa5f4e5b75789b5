import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError } from '../../support/admin-client.ts';
import type { ClientAnswer } from '../../support/gateway-events.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';

describe.each(administrations)('the limits of accounts and key pairs, on $name', ({ open }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open({ LRS_ACCOUNT_MAX_COUNT: '3', LRS_ACCOUNT_MAX_KEY_PAIRS: '2' });
  });
  afterAll(() => lrs?.close());

  const withStatus = (answers: readonly ClientAnswer[], status: number): ClientAnswer[] =>
    answers.filter((answer) => answer.status === status);
  const expectRefused = (answers: readonly ClientAnswer[], setting: string): void => {
    const refused = withStatus(answers, 409);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect(stringMember(answer, 'error')).toContain(setting);
  };

  it('refuse an account too many with 409 and the name of the setting, until one is deleted', async () => {
    const token = await lrs.firstToken();
    const create = (index: number) =>
      lrs.call('POST', '/admin/account/create', {
        token,
        body: { username: `operator${index}`, password: 'N3w_and_longer?' },
      });
    const answers = await Promise.all([1, 2, 3, 4].map(create));
    expectRefused(answers, 'lrs.accountMaxCount (LRS_ACCOUNT_MAX_COUNT)');
    const [made, ...others] = withStatus(answers, 200);
    expect(others).toHaveLength(1);
    const id = made && stringMember(made, 'account-id');
    const body = { 'account-id': id };
    expect((await lrs.call('DELETE', '/admin/account', { token, body })).status).toBe(200);
    expect((await create(5)).status).toBe(200);
    expectError(await create(6), 409);
    const listed = parsed(await lrs.call('GET', '/admin/account', { token }));
    expect(listed).toHaveLength(3);
  });

  it('refuse a key pair too many with 409 and the name of the setting, until one is deleted', async () => {
    const token = await lrs.firstToken();
    const create = () => lrs.call('POST', '/admin/creds', { token, body: { scopes: ['all'] } });
    const list = async () => parsed(await lrs.call('GET', '/admin/creds', { token })) as object[];
    const answers = await Promise.all([create(), create(), create(), create()]);
    expectRefused(answers, 'lrs.accountMaxKeyPairs (LRS_ACCOUNT_MAX_KEY_PAIRS)');
    expect(await list()).toHaveLength(2);
    const [body = {}] = await list();
    expect((await lrs.call('DELETE', '/admin/creds', { token, body })).status).toBe(200);
    expect((await create()).status).toBe(200);
    expectError(await create(), 409);
  });
});
