import { authorizationOf } from '../client.ts';
import { login } from '../login.ts';
import { jsonType, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const keys = 10;
/** Connections of each key. */
const width = 8;

async function newPair({ client }: Context, authorization: string): Promise<string> {
  const headers = { ...jsonType, Authorization: authorization };
  const { body } = await client.send({
    method: 'POST',
    path: '/admin/creds',
    headers,
    body: '{"scopes":["all"]}',
  });
  const { 'api-key': key, 'secret-key': secret } = JSON.parse(body.toString());
  return authorizationOf({ key, secret });
}

/** Reads and writes in turn, each connection as fast as it gets answers. */
async function tenKeys(context: Context): Promise<void> {
  const authorization = await login(context);
  const pairs: string[] = [];
  for (let index = 0; index < keys; index += 1) pairs.push(await newPair(context, authorization));
  await context.parallel(context.amount(20_000), keys * width, (index) => {
    const headers = { Authorization: pairs[index % keys] ?? '' };
    return index % 2 === 0
      ? context.client.post(statementText({}), headers)
      : context.client.send({ path: '/xapi/statements?limit=10', headers });
  });
}

export const rateLimitAttacks: readonly Attack[] = [
  {
    name: 'ten-keys',
    area: 'administration',
    threat: `${keys} key pairs send at full speed where each may send 60 requests a second`,
    // A multiple of what it is without an attack, a few milliseconds, says little of requests that wait for others.
    bounds: { p99: 100, ratio: Number.POSITIVE_INFINITY },
    // The key pair of the honest clients has the same limit.
    honestRate: 40,
    provokes: 429,
    settings: { LRS_RATE_LIMIT_PER_KEY_PAIR: '60', LRS_RATE_LIMIT_BURST_SECONDS: '1' },
    run: tenKeys,
  },
];
