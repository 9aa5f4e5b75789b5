import { describe, expect, it } from 'vitest';
import { shownReaction } from '../../../lib/reactions/present.ts';

describe('the remedy of a reaction that a limit has stopped', () => {
  it('helps against chains of reactions, too: it names the comparison that leaves out what others make', () => {
    const error = { type: 'ReactionLimitError', message: 'm', triggerId: null, time: 0 } as const;
    const { error: shown } = shownReaction({
      ...{
        id: '01908b00-0000-8000-8000-000000000001',
        title: 't',
        ruleset: '{}',
        active: false,
        deleted: false,
        deletedAt: null,
      },
      ...{ created: 0, modified: 0, error, version: 1, since: 0, stopped: null, missed: null },
      ...{ fired: 0, failed: 0, lastFired: null, lastFailure: null },
    });
    expect(shown?.remedy).toMatch(/`verb\.id`.* none that other reactions make/);
    expect(shown?.remedy).not.toContain('identity paths');
  });
});
