import { describe, expect, it } from 'vitest';
import { TallyRecorder } from '../../../lib/counts/recorder.ts';
import type { RowSession } from '../../../lib/db/types.ts';
import type { PlacedMentions } from '../../../lib/xapi/mentions.ts';

const nowhere = { insert: async () => {}, send: () => {} } as unknown as RowSession;
const mentions: PlacedMentions['mentions'] = {
  actors: ['mailto:learner@example.org'],
  agents: [],
  platform: undefined,
  verb: 'https://example.org/verb',
  activity: undefined,
  names: [],
  definitions: [],
};

/** How many transactions of so many statements are recorded from one time that they are to be added up until the next. */
async function transactionsUntilDue(statements: number): Promise<number> {
  const recorder = new TallyRecorder(() => '00');
  const placed = Array.from({ length: statements }, (_, position) => ({ position, mentions }));
  const untilDue = async (): Promise<number> => {
    for (let transactions = 1; ; transactions += 1) {
      await recorder.record(nowhere, placed);
      if (recorder.isDue()) return transactions;
    }
  };
  await untilDue(); // From a random start.
  return untilDue();
}

describe('changes of the counts are added up', () => {
  it('after 1,600 statements that come one by one', async () => {
    expect(await transactionsUntilDue(1)).toBe(1600);
  });

  it('after some 8,000 statements in batches', async () => {
    expect(await transactionsUntilDue(500)).toBe(Math.ceil(8000 / 504));
  });
});
