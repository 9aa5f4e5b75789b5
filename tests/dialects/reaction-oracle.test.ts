import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../lib/json/types.ts';
import { Returns } from '../../lib/reactions/engine/returns.ts';
import { TriggerTime } from '../../lib/reactions/engine/time-shares.ts';
import type { Firing } from '../../lib/reactions/store/firing-rows.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import type { Clause, Condition, Operator, ReactionPath, Ruleset } from '../../lib/reactions/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { Random } from '../attack/random.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { expectedOf, type Told } from '../support/reaction-oracle.ts';
import { agent, batchOf, everything, exact } from '../support/statements.ts';

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.int(16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const iri = (name: string) => `https://example.org/${name}`;
const verbs = ['passed', 'failed', 'made'].map(iri);
const activities = ['a', 'b', 'c'].map(iri);
const names = ['ann', 'bob'];
const extension = iri('x');
const extensionPath: ReactionPath = ['result', 'extensions', extension];
const texts = ['', 'a', 'ab', 'B'];
const words = ['a', 'b', 'c'];

function randomStatement(
  random: Random,
  known: readonly string[],
  registrations: readonly string[],
): Statement {
  const refers = known.length > 0 && random.chance(0.15);
  const parent = { parent: [{ id: random.pick(activities) }] };
  const timestamp = `2026-01-0${1 + random.int(4)}T00:00:00Z`;
  const extensions: Record<string, Json> = {
    [extension]: random.pick<Json>([1, 2, true, false, 'a', ['a', 'b']]),
  };
  return {
    id: uuidOf(random),
    actor: agent(random.pick(names)),
    verb: { id: random.pick(verbs) },
    object: refers
      ? { objectType: 'StatementRef', id: random.pick(known) }
      : { objectType: 'Activity', id: random.pick(activities) },
    result: {
      ...(random.chance(0.7) && { score: { raw: random.int(4) } }),
      ...(random.chance(0.7) && { success: random.chance(0.5) }),
      ...(random.chance(0.7) && { response: random.pick(texts) }),
      ...(random.chance(0.5) && { extensions }),
    },
    context: {
      ...(random.chance(0.6) && { registration: random.pick(registrations) }),
      ...(random.chance(0.5) && { contextActivities: parent }),
    },
    ...(random.chance(0.8) && { timestamp }),
  };
}

function randomClause(random: Random, others: readonly string[], registrations: readonly string[]): Clause {
  const orders: readonly Operator[] = ['eq', 'noteq', 'gt', 'gte', 'lt', 'lte'];
  const values: readonly (readonly [ReactionPath, readonly Operator[], Json])[] = [
    [['verb', 'id'], ['eq', 'eq', 'eq', 'noteq'], random.pick(verbs)],
    [['object', 'id'], ['eq', 'eq', 'eq', 'noteq'], random.pick(activities)],
    [['actor', 'mbox'], ['eq', 'like'], `mailto:${random.pick(names)}@example.org`],
    [['context', 'registration'], ['eq', 'noteq'], random.pick(registrations)],
    [['context', 'contextActivities', 'parent', 0, 'id'], ['eq'], random.pick(activities)],
    [['result', 'score', 'raw'], orders, random.int(4)],
    [['result', 'success'], ['eq', 'noteq'], random.chance(0.5)],
    [['result', 'response'], [...orders, 'like'], random.pick([...texts, 'a%', '_', '%'])],
    [extensionPath, ['eq', 'gte'], random.int(3)],
    [extensionPath, ['contains'], random.pick(words)],
  ];
  const [path, ops, val] = random.pick(values);
  const refs: readonly (readonly [ReactionPath, ReactionPath, readonly Operator[]])[] = [
    [['timestamp'], ['timestamp'], ['gt', 'eq', 'lte']],
    [
      ['object', 'id'],
      ['object', 'id'],
      ['eq', 'noteq'],
    ],
    [['object', 'id'], ['id'], ['eq']],
    [['id'], ['object', 'id'], ['eq']],
    [['context', 'registration'], ['context', 'registration'], ['eq']],
    [
      ['result', 'score', 'raw'],
      ['result', 'score', 'raw'],
      ['gt', 'eq', 'noteq'],
    ],
    [
      ['actor', 'mbox'],
      ['actor', 'mbox'],
      ['eq', 'noteq'],
    ],
  ];
  if (others.length === 0 || random.chance(0.7)) return { path, op: random.pick(ops), val: val as string };
  const [own, other, refOps] = random.pick(refs);
  return { path: own, op: random.pick(refOps), ref: { condition: random.pick(others), path: other } };
}

function randomCondition(random: Random, clause: () => Clause, depth = 0): Condition {
  const choice = random.int(depth > 2 ? 4 : 8);
  const items = () =>
    Array.from({ length: 1 + random.int(3) }, () => randomCondition(random, clause, depth + 1));
  if (choice < 4) return clause();
  if (choice < 6) return { and: items() };
  return choice === 6 ? { or: items() } : { not: randomCondition(random, clause, depth + 1) };
}

function randomRuleset(random: Random, registrations: readonly string[]): Ruleset {
  const count = 1 + random.int(3);
  const conditionNames = ['one', 'two', 'three'].slice(0, count);
  const conditions = conditionNames.map((name) => {
    const others = conditionNames.filter((other) => other !== name || random.chance(0.1));
    const clause = () => randomClause(random, others, registrations);
    return [name, { and: [clause(), randomCondition(random, clause)] }] as const;
  });
  const identityPaths = random.pick<ReactionPath[]>([
    [],
    [['actor', 'mbox']],
    [
      ['actor', 'mbox'],
      ['context', 'registration'],
    ],
    [['context', 'registration']],
    [['object', 'id'], extensionPath],
  ]);
  return {
    identityPaths: identityPaths.filter((path) => path !== extensionPath),
    conditions: Object.fromEntries(conditions),
    template: {
      actor: { $templatePath: ['one', 'actor'] },
      verb: { id: random.pick([iri('made'), iri('other')]) },
      object: { id: random.pick(activities) },
    },
  };
}

async function told(bench: ReactionBench): Promise<Told[]> {
  const { statements } = await bench.service.query({ ...everything, ascending: true, limit: 10_000 }, exact);
  return statements.map(({ text }) => {
    const value: Json = JSON.parse(text);
    return { id: (value as { id: string }).id, value };
  });
}

const seeds = Array.from({ length: 8 }, (_, index) => 1000 + index);

describe.each(engines)('reactions with random rulesets on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await database.remove();
  });

  it.each(
    seeds.flatMap(
      (seed) =>
        [
          [seed, 'none of which is slow', 0],
          [seed, 'which are slow for some triggers', 0.2],
        ] as const,
    ),
  )(
    'make exactly what an oracle derives from all stored statements, and a replay adds nothing (seed %i, %s)',
    async (seed, _, slowness) => {
      const speed = new Random(seed);
      vi.spyOn(Returns.prototype, 'mayReturn').mockReturnValue(true);
      vi.spyOn(TriggerTime.prototype, 'left').mockImplementation(() =>
        speed.chance(slowness) ? -1 : Number.POSITIVE_INFINITY,
      );
      const random = new Random(seed);
      const limits = {
        reactionMaxMatches: 10_000,
        reactionMaxChain: 100,
        reactionMaxChainStatements: 100_000,
      };
      const bench = new ReactionBench(database.db, { batch: 1 + random.int(40), limits });
      await bench.ready();
      const registrations = [uuidOf(random), uuidOf(random)];
      const reactions: (StoredReaction & { readonly rules: Ruleset })[] = [];
      for (let count = 0; count < 6; count++) {
        const rules = randomRuleset(random, registrations);
        reactions.push({ ...(await bench.react(`reaction ${count}`, rules as unknown as Json)), rules });
      }
      const known: string[] = [];
      for (let posts = 0; posts < 6; posts++) {
        const statements = Array.from({ length: 1 + random.int(4) }, () =>
          randomStatement(random, known, registrations),
        );
        known.push(...statements.map(({ id }) => id ?? ''));
        await bench.service.store(batchOf(statements));
        if (random.chance(0.5)) await bench.catchUp();
      }
      await bench.catchUp();
      const statements = await told(bench);
      const isMadeBy = await histories(bench, statements);
      for (const { id, rules } of reactions) {
        expect(await bench.store.find(id)).toMatchObject({ active: true, error: null, failed: 0 });
        const found = (await bench.firings({ id })).map(({ triggerId: trigger, matched }) => ({
          trigger,
          matched,
        }));
        const expected = expectedOf(rules, statements, (statement) => isMadeBy(statement, id));
        expect(texted(found)).toEqual(texted(expected));
      }
      await replayAll(bench, reactions);
      expect(await told(bench)).toHaveLength(statements.length);
      await bench.service.stop();
    },
  );
});

function texted(
  list: readonly { readonly trigger: string | null; readonly matched: Firing['matched'] }[],
): string[] {
  return list
    .map(({ trigger, matched }) => `${trigger}: ${JSON.stringify(Object.entries(matched).sort())}`)
    .sort();
}

/** Whether a reaction has had a part in how a statement came about. */
async function histories(
  bench: ReactionBench,
  statements: readonly Told[],
): Promise<(statement: string, reaction: string) => boolean> {
  const firings = await bench.store.firingsOf(statements.map(({ id }) => id));
  const made = new Map(firings.map((firing) => [firing.statementId, firing]));
  return (statement, reaction) => {
    for (let firing = made.get(statement); firing !== undefined; firing = made.get(firing.triggerId ?? '')) {
      if (firing.reactionId === reaction) return true;
    }
    return false;
  };
}

/** Lets everything that is stored trigger each reaction once more. */
async function replayAll(bench: ReactionBench, reactions: readonly StoredReaction[]): Promise<void> {
  for (const reaction of reactions) {
    const name = `replay ${reaction.id}`;
    bench.feed.register(name.slice(0, 40), {
      handle: (items, turn) => bench.engine.replay(reaction, items, turn),
    });
    await bench.feed.ensureConsumer({ name, kind: name.slice(0, 40), cursor: 0 });
  }
  await bench.catchUp();
}
