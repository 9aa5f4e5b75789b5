import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ConflictError } from '../../lib/errors.ts';
import { Journal } from '../../lib/transfer/journal.ts';

/*
 * A process that works in the folder of an import when a line tells it to, until the next line. It prints `in` when it does, and
 * `out` when another one works there.
 */

const journal = new Journal(process.argv[2] ?? '');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
writeSync(1, 'ready\n');
while (!(await lines.next()).done) {
  try {
    await journal.locked(async () => {
      writeSync(1, 'in\n');
      await lines.next();
    });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    writeSync(1, 'out\n');
  }
}
