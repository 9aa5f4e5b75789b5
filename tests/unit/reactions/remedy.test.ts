import { describe, expect, it } from 'vitest';
import { shownReaction } from '../../../lib/reactions/present.ts';

describe('the remedy of a reaction that a limit has stopped', () => {
  const remedyOf = (reason: 'chain' | 'candidates') => {
    const error = { type: 'ReactionLimitError', reason, message: 'm', triggerId: null, time: 0 } as const;
    return shownReaction({
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
    }).error?.remedy;
  };

  it('names for a chain of reactions the comparison that leaves out what others make', () => {
    expect(remedyOf('chain')).toMatch(/`verb\.id`.* no statement matches that other reactions make/);
    expect(remedyOf('chain')).not.toContain('identity paths');
  });

  it('names for too many candidates what narrows a condition down, and the setting', () => {
    expect(remedyOf('candidates')).toMatch(/`object\.id`.* registration.* setting raised/);
  });
});
