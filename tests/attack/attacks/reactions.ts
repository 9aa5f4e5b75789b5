import { setTimeout as sleep } from 'node:timers/promises';
import { login } from '../login.ts';
import { jsonType, list, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

/** Nearly as many values as a statement may have, each in an object of its own with a member that no other has: 160 kB. */
const smallValues = `[${list(16, (row) => `[${list(990, (index) => `{"${(row * 1000 + index).toString(36)}":0}`)}]`)}]`;
const extension = 'http://x.org/values';

function learnerOf(name: string): string {
  return `{"mbox":"mailto:${name}@x.org"}`;
}

function dense(learner: string): string {
  return statementText({
    actor: learnerOf(learner),
    verb: '{"id":"http://x.org/verbs/dense"}',
    result: `{"extensions":{"${extension}":${smallValues}}}`,
  });
}

function trigger(learner: string): string {
  return statementText({ actor: learnerOf(learner), verb: '{"id":"http://x.org/verbs/trigger"}' });
}

/** One that keeps what it finds small, and one that copies it. */
const results = [{ response: 'found' }, { extensions: { $templatePath: ['dense', 'result', 'extensions'] } }];

function rulesetOf(result: object): object {
  return {
    identityPaths: [['actor', 'mbox']],
    conditions: {
      dense: { path: ['verb', 'id'], op: 'eq', val: 'http://x.org/verbs/dense' },
      trigger: { path: ['verb', 'id'], op: 'eq', val: 'http://x.org/verbs/trigger' },
    },
    template: {
      actor: { $templatePath: ['trigger', 'actor'] },
      verb: { id: 'http://x.org/verbs/made' },
      object: { id: 'http://x.org/results' },
      result,
    },
  };
}

/** Who has so many dense statements: of the first all fit into what a reaction may take, of the second they do not. */
const learners = { few: 14, many: 56 } as const;
const triggers = 6;
const reactions = 4;
/** How long (ms) the attack lasts for each learner: while other clients are busy, reactions work for a twentieth of the time. */
const longest = 40_000;

/** The ids of reactions, as many as are replayed at a time. */
const made: string[] = [];

async function prepare(context: Context): Promise<void> {
  const { client, amount, parallel } = context;
  const authorization = await login(context);
  made.length = 0;
  for (let index = 0; index < reactions; index += 1) {
    const ruleset = rulesetOf(results[index % results.length] ?? {});
    const body = JSON.stringify({ title: `dense ${index} ${Date.now()}`, ruleset, active: true });
    const headers = { ...jsonType, Authorization: authorization };
    const answer = await client.send({ method: 'POST', path: '/admin/reaction', headers, body });
    made.push(JSON.parse(answer.body.toString()).reactionId);
  }
  for (const [learner, count] of Object.entries(learners))
    await parallel(amount(count), 1, async () => {
      const { status, body } = await client.post(dense(learner));
      if (status !== 200) throw new Error(`A dense statement was not stored: ${status} ${body}`);
    });
}

/** Triggers all reactions at once, and has them look at the same triggers again. */
async function run(context: Context): Promise<void> {
  const { client, amount, parallel } = context;
  const headers = { ...jsonType, Authorization: await login(context) };
  const from = new Date(Date.now() - 3_600_000).toISOString();
  for (const learner of Object.keys(learners)) {
    await parallel(amount(triggers), triggers, () => client.post(trigger(learner)));
    for (const reactionId of made) {
      const body = JSON.stringify({ reactionId, from });
      await client.send({ method: 'POST', path: '/admin/reaction/replay', headers, body });
    }
    await everythingDone(context, headers);
  }
}

/** Resolves when every consumer has passed what is stored by now, or time is up; other clients store more meanwhile. */
async function everythingDone({ client }: Context, headers: Readonly<Record<string, string>>): Promise<void> {
  const now = Date.now();
  for (let isDone = false; !isDone && Date.now() < now + longest; ) {
    await sleep(300);
    const { status, body } = await client.send({ path: '/admin/status?include=consumers', headers });
    if (status === 0) return;
    if (status !== 200) continue;
    const { consumers } = JSON.parse(body.toString());
    isDone = consumers.every(
      ({ cursor, lag }: { readonly cursor: string; readonly lag: { readonly statements: number } }) =>
        lag.statements === 0 || Date.parse(cursor) >= now,
    );
  }
}

export const reactionAttacks: readonly Attack[] = [
  {
    name: 'dense-matches',
    area: 'reactions',
    threat:
      'reactions that match statements of very many small values, triggered several times, replayed at the same time',
    settings: { LRS_ENABLE_REACTIONS: 'true', LRS_ENABLE_ADMIN_STATUS: 'true' },
    prepare,
    run,
  },
];
