import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatementQuery, StatementService } from '../../lib/statements/types.ts';
import type { Activity, Agent, Group, Statement, StatementObject } from '../../lib/xapi/types.ts';
import { engines } from '../support/engines.ts';
import { StatementOracle } from '../support/statement-oracle.ts';
import { agent, batchOf, foundIds, serviceOn, voidedVerb } from '../support/statements.ts';

/** One for each kind of identifier (xAPI 1.0.3 Data 2.4.2.3). */
const agents: Agent[] = [
  agent('ann'),
  { objectType: 'Agent', mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' },
  { objectType: 'Agent', openid: 'https://example.org/people/cid' },
  { objectType: 'Agent', account: { homePage: 'https://example.org', name: 'dan' } },
];
const identifiedGroup: Group = { objectType: 'Group', mbox: 'mailto:group@example.org' };
const authorities = ['one', 'two'].map(agent);
const verbs = ['https://example.org/verbs/a', 'https://example.org/verbs/b'];
const activities: Activity[] = ['x', 'y', 'z'].map((name) => ({
  objectType: 'Activity',
  id: `https://example.org/activities/${name}`,
}));
const registrations = ['c0a5d0a1-0000-4000-8000-000000000001', 'c0a5d0a1-0000-4000-8000-000000000002'];

/** A statement to be; `refersTo` picks the statement that it refers to, whether that one comes before or after. */
interface Plan {
  readonly statement: Statement;
  readonly refersTo: number | undefined;
  readonly voids: boolean;
}

const anAgent = fc.constantFrom<Agent>(...agents);
const anActivity = fc.constantFrom<Activity>(...activities);
const aGroup: fc.Arbitrary<Group> = fc
  .tuple(fc.uniqueArray(anAgent, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([member, identified]) => ({ ...(identified && identifiedGroup), objectType: 'Group', member }));
const anActor = fc.oneof({ weight: 3, arbitrary: anAgent }, aGroup);
const context = fc.record(
  {
    registration: fc.constantFrom(...registrations),
    instructor: anActor,
    team: aGroup,
    contextActivities: fc.record(
      { parent: fc.array(anActivity, { minLength: 1, maxLength: 2 }), category: anActivity },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const verb = fc.constantFrom(...verbs).map((id) => ({ id }));
const subStatement: fc.Arbitrary<StatementObject> = fc.record({
  objectType: fc.constant('SubStatement' as const),
  actor: anActor,
  verb,
  object: fc.oneof(anActivity, anActor),
  context,
});
const plan: fc.Arbitrary<Plan> = fc.record({
  statement: fc.record({
    actor: anActor,
    verb,
    object: fc.oneof({ weight: 3, arbitrary: anActivity }, anActor, subStatement),
    context,
  }),
  refersTo: fc.option(fc.nat(10_000), { nil: undefined, freq: 2 }),
  voids: fc.boolean(),
});

const query: fc.Arbitrary<Partial<StatementQuery>> = fc.record(
  {
    agent: fc.constantFrom(...agents, ...authorities, identifiedGroup),
    authority: fc.constantFrom(...authorities),
    verb: fc.constantFrom(...verbs, voidedVerb),
    activity: anActivity.map(({ id }) => id),
    registration: fc.constantFrom(...registrations),
    relatedAgents: fc.boolean(),
    relatedActivities: fc.boolean(),
    ascending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: ['relatedAgents', 'relatedActivities', 'ascending', 'limit'] },
);

function statementsOf(plans: readonly Plan[]): Statement[] {
  const ids = plans.map(() => randomUUID());
  return plans.map(({ statement, refersTo, voids }, index) => {
    const target = refersTo === undefined ? undefined : ids[refersTo % ids.length];
    const withId = { ...statement, id: ids[index] ?? '' };
    if (target === undefined) return withId;
    const object = { objectType: 'StatementRef' as const, id: target };
    return voids ? { ...withId, object, verb: { id: voidedVerb } } : { ...withId, object };
  });
}

const scenario = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 24 }),
  batchSize: fc.integer({ min: 1, max: 12 }),
  indexMergeEvery: fc.constantFrom(1, 10, 1000),
  scanSizes: fc.constantFrom([1], [2, 4], [1000]),
  queries: fc.array(query, { minLength: 10, maxLength: 10 }),
});

/** Stores the statements in batches, those of two authorities in turns, and tells the oracle. */
async function storeAll(
  service: StatementService,
  oracle: StatementOracle,
  batches: readonly (readonly Statement[])[],
): Promise<void> {
  for (const [number, batch] of batches.entries()) {
    const authority = authorities[number % authorities.length] ?? agent('one');
    await service.store(batchOf(batch, { authority }));
    oracle.add(...batch.map((each) => ({ ...each, authority })));
  }
  // On a slow machine a request is answered before all that its references hand on is written.
  await service.finishReferences();
}

function batchesOf(statements: readonly Statement[], size: number): Statement[][] {
  const count = Math.ceil(statements.length / size);
  return Array.from({ length: count }, (_, index) => statements.slice(index * size, (index + 1) * size));
}

// At once, because they mostly wait for the servers.
describe.concurrent.each(engines)('the filters of the statement resource on $name', (engine) => {
  it('find what a search through all statements and their targets finds, page by page, whatever arrives first (xAPI 1.0.3 Communication 2.1.3)', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ plans, batchSize, queries, ...options }) => {
        const { db, remove } = await engine.create();
        try {
          const service = serviceOn(db, options);
          const oracle = new StatementOracle();
          const statements = statementsOf(plans);
          const [first = [], ...others] = batchesOf(statements, batchSize);
          await storeAll(service, oracle, [first]);
          for (const each of queries) expect(await foundIds(service, each)).toEqual(oracle.find(each));
          await storeAll(service, oracle, others);
          for (const each of queries) expect(await foundIds(service, each)).toEqual(oracle.find(each));
          expect(await foundIds(service)).toEqual(oracle.find({}));
        } finally {
          await remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('find the same among thousands of statements, by hundreds of combinations', async () => {
    const seed = Date.now() % 2 ** 31;
    const statements = statementsOf(fc.sample(plan, { seed, numRuns: 2000 }));
    const { db, remove } = await engine.create();
    try {
      const service = serviceOn(db, { indexMergeEvery: 300, scanSizes: [16, 64] });
      const oracle = new StatementOracle();
      await storeAll(service, oracle, batchesOf(statements, 70));
      for (const [number, each] of fc.sample(query, { seed, numRuns: 200 }).entries()) {
        const found = await foundIds(service, { ...each, limit: 25 * (each.limit ?? 1) });
        expect(found, `query ${number} of seed ${seed}`).toEqual(oracle.find(each));
      }
    } finally {
      await remove();
    }
  });
});
