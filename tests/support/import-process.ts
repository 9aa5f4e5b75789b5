import { mkdirSync, rmdirSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ConflictError } from '../../lib/errors.ts';
import { Journal } from '../../lib/transfer/journal.ts';

/*
 * A process that works in the folder of an import when the line `begin` tells it to, until the next line. It prints `in` when it
 * does, and `out` when another one works there. The line `again` has it work there a hundred times; then it prints `done`, or
 * `overlap` when another one was there at the same time.
 */

const [folder = ''] = process.argv.slice(2);
const journal = new Journal(folder);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
writeSync(1, 'ready\n');
for (;;) {
  const { done, value } = await lines.next();
  if (done) break;
  if (value === 'again') {
    writeSync(1, `${await workAgain(100)}\n`);
  } else {
    const isIn = await workAlone(async () => {
      writeSync(1, 'in\n');
      await lines.next();
    });
    if (!isIn) writeSync(1, 'out\n');
  }
}

/** @returns false when another process works there. */
async function workAlone(work: () => Promise<void>): Promise<boolean> {
  try {
    await journal.locked(work);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}

async function workAgain(times: number): Promise<'done' | 'overlap'> {
  try {
    for (let left = times; left > 0; ) {
      const isIn = await workAlone(async () => {
        mkdirSync(`${folder}.work`);
        await journal.write('progress.json', {});
        rmdirSync(`${folder}.work`);
      });
      if (isIn) left -= 1;
    }
    return 'done';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'overlap';
    throw error;
  }
}
