import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openDatabase } from '../../lib/db/connect.ts';
import { createLogger } from '../../lib/logger.ts';
import { agent, batchOf, reference, serviceOn, statement } from './statements.ts';

/**
 * A process to be killed: writes batches of 1 to 20 statements from several clients at once until it dies, and prints a
 * line of ids for each batch that it has an answer for. The last statement of a batch refers to its first.
 */
const [, , options = ''] = process.argv;
const db = await openDatabase(JSON.parse(options), createLogger('OFF'));
const service = serviceOn(db, { indexMergeEvery: 1000 });

async function client(number: number): Promise<void> {
  for (let round = 0; ; round += 1) {
    const batchId = randomUUID();
    const actor = agent(`client-${number}`);
    const first = randomUUID();
    const size = 1 + ((number + round) % 20);
    const registration = { context: { registration: batchId } };
    const statements = Array.from({ length: size }, (_, index) =>
      statement({ id: index === 0 ? first : randomUUID(), actor, ...registration }),
    );
    statements.push(reference(first, { actor: agent('referrer'), ...registration }));
    const ids = await service.store(batchOf(statements));
    writeSync(1, `${JSON.stringify({ batchId, actor: actor.mbox, ids })}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)));
