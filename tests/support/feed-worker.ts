import { writeSync } from 'node:fs';
import { openDatabase } from '../../lib/db/connect.ts';
import { createFeed } from '../../lib/feed/feed.ts';
import { createLogger } from '../../lib/logger.ts';
import { addingEffects } from './effects.ts';
import { batchOf, serviceOn, statement } from './statements.ts';

/**
 * A process to be killed: stores statements from several clients at once until it dies, serves the consumer `one`, and prints a
 * character for each batch whose effect it has committed.
 */
const [, , options = '', worker = ''] = process.argv;
const db = await openDatabase(JSON.parse(options), createLogger('OFF'));
const feed = createFeed(db, {
  logger: createLogger('WARN'),
  limits: { statements: 20, bytes: 1_048_576 },
  leaseSeconds: 1,
});
const handler = addingEffects(worker);
feed.register('test', {
  async handle(items, turn) {
    const effect = await handler.handle(items, turn);
    return {
      ...effect,
      async write(session) {
        await effect.write?.(session);
        session.afterCommit(() => void writeSync(1, '.'));
      },
    };
  },
});
feed.start();
const service = serviceOn(db, { onCommitted: () => feed.wake() });

async function client(number: number): Promise<void> {
  for (let round = 0; ; round += 1) {
    await service.store(batchOf(Array.from({ length: 1 + ((number + round) % 5) }, () => statement())));
  }
}

await Promise.all(Array.from({ length: 4 }, (_, number) => client(number)));
