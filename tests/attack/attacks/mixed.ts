import { jsonType, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const statementsVerb = 'http://x.org/mixed';

function documentPath(index: number): string {
  const activity = encodeURIComponent('https://attacker.example/mixed');
  return `/xapi/activities/profile?activityId=${activity}&profileId=${index % 5}`;
}

/** What a client does in its turn. */
const actions: readonly ((context: Context, index: number) => Promise<unknown>)[] = [
  ({ client }) =>
    client.post(
      statementText({
        verb: `{"id":"${statementsVerb}"}`,
        result: `{"response":"${'x'.repeat(4_000_000)}"}`,
      }),
    ),
  ({ client }) =>
    client.send({ path: `/xapi/statements?limit=10&verb=${encodeURIComponent(statementsVerb)}` }),
  ({ client }, index) =>
    client.send({
      method: 'PUT',
      path: documentPath(index),
      headers: { 'Content-Type': 'application/octet-stream', 'If-Match': '*' },
      body: Buffer.alloc(9_900_000, 'x'),
    }),
  ({ client }, index) => client.send({ path: documentPath(index) }),
];

export const mixedAttacks: readonly Attack[] = [
  {
    name: 'mixed-load',
    area: 'validation',
    threat: '20 clients at a time that mix statements of 4 MB, pages of them and documents of 10 MB',
    prepare: async ({ client, parallel }) => {
      await parallel(5, 1, (index) =>
        client.send({
          method: 'PUT',
          path: documentPath(index),
          headers: { ...jsonType, 'If-None-Match': '*' },
          body: '{}',
        }),
      );
    },
    run: (context) =>
      context.parallel(context.amount(400), 20, async (index) => {
        // Every client does something else at the same time.
        await actions[(index + Math.floor(index / 20)) % actions.length]?.(context, index);
      }),
  },
];
