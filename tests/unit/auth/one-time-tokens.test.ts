import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOneTimeTokenService } from '../../../lib/auth/one-time-tokens.ts';
import { openDatabase } from '../../../lib/db/connect.ts';
import type { Database } from '../../../lib/db/types.ts';
import { NotFoundError, UnauthenticatedError } from '../../../lib/errors.ts';
import { createLogger } from '../../../lib/logger.ts';

const account = { id: randomUUID(), username: 'opsadmin' };
const login = { account, token: undefined };

describe('one-time tokens', () => {
  let db: Database;
  let now = 1_800_000_000_000;
  let tokenGeneration = 0;

  beforeAll(async () => {
    db = await openDatabase({ dbType: 'sqlite', dbName: ':memory:' }, createLogger('OFF'));
  });
  afterAll(() => db.close());

  const service = (secret = 'k') =>
    createOneTimeTokenService(db, {
      key: Buffer.from(secret),
      jwtExpTime: 60,
      jwtExpLeeway: 1,
      now: () => now,
      findAccount: async (id) =>
        id === account.id ? { ...account, tokenGeneration, keptToken: null } : undefined,
    });

  it('speak for their account until they expire', async () => {
    const token = await service().issue(login);
    expect(await service().verify(token)).toMatchObject({ account, expiresAt: now / 1000 + 60 });
    now += 62_000;
    await expect(service().verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('are refused when another key has signed them, and when the tokens of the account are revoked', async () => {
    const token = await service().issue(login);
    await expect(service('other').verify(token)).rejects.toThrow(UnauthenticatedError);
    tokenGeneration += 1;
    await expect(service().verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('are revoked together with the login token that they were issued for', async () => {
    const token = { id: 'a login', refreshUntil: undefined, generation: tokenGeneration };
    const before = await service().issue({ account, token });
    expect(await service().verify(before)).toMatchObject({ account });
    tokenGeneration += 1;
    await expect(service().verify(before)).rejects.toThrow(UnauthenticatedError);
    const after = await service().issue({ account, token });
    await expect(service().verify(after)).rejects.toThrow(UnauthenticatedError);
  });

  it('are made for accounts that exist', async () => {
    await expect(
      service().issue({ account: { ...account, id: randomUUID() }, token: undefined }),
    ).rejects.toThrow(NotFoundError);
  });

  it('are refused once they have been redeemed', async () => {
    const token = await service().issue(login);
    await service().redeem(await service().verify(token));
    await expect(service().verify(token)).rejects.toThrow('has been used');
  });

  it('are redeemed once, and remembered no longer than they live', async () => {
    const token = await service().verify(await service().issue(login));
    await service().redeem(token);
    await expect(service().redeem(token)).rejects.toThrow('used');
    now += 120_000;
    await service().redeem(await service().verify(await service().issue(login)));
    const rows = await db.read((session) => session.select('SELECT id FROM spent_token'));
    expect(rows).toHaveLength(1);
  });
});
