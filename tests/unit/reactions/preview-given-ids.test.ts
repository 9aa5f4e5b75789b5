import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { BusyTime } from '../../../lib/busy-time.ts';
import { NotFoundError } from '../../../lib/errors.ts';
import { ReactionMemory } from '../../../lib/reactions/memory.ts';
import { previewOf } from '../../../lib/reactions/preview/preview.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { matchLimits } from '../../support/reaction-bench.ts';
import { statement } from '../../support/statements.ts';

const verb = { id: 'https://example.org/verbs/a' };
const count = 30;
const longLength = 200_000;

/** Previews a reaction of which each match makes a statement with an id that a long stored statement has. */
async function preview(idOf: (index: number) => string, reactionPreviewBytes = 100_000_000) {
  const check = parseRuleset(
    {
      identityPaths: [],
      conditions: { a: { path: ['verb', 'id'], op: 'eq', val: verb.id } },
      template: {
        id: { $templatePath: ['a', 'context', 'registration'] },
        actor: { $templatePath: ['a', 'actor'] },
        verb: { id: 'https://example.org/verbs/made' },
        object: { $templatePath: ['a', 'object'] },
      },
    },
    '1.0.3',
  );
  if ('problems' in check) throw new Error(JSON.stringify(check.problems));
  const statements = Array.from({ length: count }, (_, index) => ({
    position: count - index,
    text: JSON.stringify(statement({ id: randomUUID(), verb, context: { registration: idOf(index) } })),
  }));
  const get = vi.fn(async ({ id, voided }: { readonly id: string; readonly voided: boolean }) => {
    if (!voided) throw new NotFoundError('It is voided.');
    const text = JSON.stringify(statement({ id, result: { response: 'x'.repeat(longLength) } }));
    return { statements: [{ position: 1, text }] };
  });
  const parse = vi.spyOn(JSON, 'parse');
  const result = await previewOf(
    check.ruleset,
    { statements: count },
    {
      statements: { query: async () => ({ statements }), get } as never,
      source: { read: async () => ({ statements: [], tooLarge: false }) },
      limits: { ...matchLimits, reactionPreviewMilliseconds: 600_000, reactionPreviewBytes },
      memory: new ReactionMemory(matchLimits.reactionMaxMemory).open().share(true),
      xapiVersion: '1.0.3',
      generated: async () => new Set(),
      storing: new BusyTime(),
    },
  );
  const parsed = parse.mock.calls.filter(([text]) => text.length > longLength).length;
  return { result, read: get.mock.calls.filter(([{ voided }]) => voided).length, parsed };
}

afterEach(() => {
  vi.restoreAllMocks();
});

it('a preview reads and parses a stored statement once, however many matches give its id', async () => {
  const id = randomUUID();
  const { result, read, parsed } = await preview(() => id);
  expect(result).toMatchObject({ complete: true, triggers: count, firings: 0 });
  expect(result.failures).toMatchObject([{ reason: 'id-taken', matches: count }]);
  expect({ read, parsed }).toEqual({ read: 1, parsed: 1 });
});

it('a preview ends when the stored statements that have the ids of its matches have too many bytes', async () => {
  const { result, read } = await preview(() => randomUUID(), 3 * longLength);
  expect(result).toMatchObject({ complete: false, stoppedBy: 'bytes' });
  expect(read).toBe(3);
});
