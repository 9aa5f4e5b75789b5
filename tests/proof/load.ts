import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../attack/random.ts';
import type { PatientClient } from './client.ts';
import { modules, verbs } from './reactions.ts';

export interface LoadOptions {
  readonly client: PatientClient;
  readonly seed: number;
  /** Aborted when no learner is to begin any more. */
  readonly signal: AbortSignal;
  /** Told of the statements that were acknowledged. */
  readonly acknowledged: (ids: readonly string[]) => void;
}

/** Learners that learn at the same time. */
const learnersAtOnce = 4;
const longestPause = 60;

/** Has learners learn, a few statements at a time, until the signal. */
export async function runLoad({ client, seed, signal, acknowledged }: LoadOptions): Promise<void> {
  await Promise.all(
    Array.from({ length: learnersAtOnce }, async (_, place) => {
      const random = new Random(seed + place);
      for (let count = 0; !signal.aborted; count += 1) {
        const rest = storyOf(`mailto:learner-${place}-${count}@example.org`, random);
        while (rest.length > 0) {
          const batch = rest.splice(0, 1 + random.int(4));
          await client.post(batch);
          acknowledged(batch.map(({ id }) => id));
          await sleep(random.int(longestPause));
        }
      }
    }),
  );
}

/** What one learner does: modules in one of two registrations, and attempts at a quiz. */
function storyOf(mbox: string, random: Random) {
  const registrations = [random.uuid(), random.uuid()];
  return Array.from({ length: 4 + random.int(6) }, () => {
    const isPassed = random.chance(0.7);
    return {
      id: random.uuid(),
      actor: { mbox },
      verb: { id: isPassed ? verbs.passed : verbs.failed },
      object: { id: random.pick(modules) },
      result: { score: { scaled: Math.round(random.unit() * 100) / 100 } },
      context: { registration: random.pick(registrations) },
    };
  });
}
