import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DefinitionRecorder } from '../../../lib/activities/definitions.ts';
import type { RowSession } from '../../../lib/db/types.ts';
import { countValues } from '../../../lib/json/heap-size.ts';
import { JsonScanner } from '../../../lib/json/scanner.ts';
import { mentionsOf, type PlacedMentions } from '../../../lib/xapi/mentions.ts';
import { statement } from '../../support/statements.ts';

/** A statement about one Activity, with so many values in an extension. */
function defining(values: number, position: number): PlacedMentions {
  const extensions = { 'http://example.org/e': [position, Array.from({ length: values }, () => 0)] };
  const object = { id: 'http://example.org/a', definition: { extensions } };
  return { position, mentions: mentionsOf(statement({ object }), undefined) };
}

const session = { afterCommit: () => {} } as unknown as RowSession;
const unread = () => Promise.reject(new Error('Definitions were read.'));

describe('definitions of more than 10,000 values', () => {
  it('are counted before the transaction, in which none of their texts is read', async () => {
    const placed = defining(10_001, 1);
    const [definition] = placed.mentions.definitions;
    expect(definition?.values).toBe(10_005);
    // A text that has a length, and nothing to read.
    const mention = { activity: 'a', values: 10_005, text: { length: 20_000 } as string };
    const mentions = { ...placed.mentions, definitions: [mention] };
    const recorder = new DefinitionRecorder();
    const recorded = recorder.record(session, [{ position: 1, mentions }], { requests: 1, read: unread });
    expect(await recorded).toEqual({ undefinedActivities: [] });
  });

  it('of one Activity are passed over with pauses', async () => {
    const one = defining(10_001, 1);
    const placed = Array.from({ length: 100_000 }, () => one);
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await new DefinitionRecorder().record(session, placed, { requests: 1, read: unread });
    running = false;
    expect(turns).toBeGreaterThan(2);
  });
});

it('The values of a tree are counted as in its text.', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (tree) => {
      const scanner = new JsonScanner(Buffer.from(JSON.stringify(tree)));
      scanner.scan();
      expect(countValues(tree as object)).toBe(scanner.items[0]?.values);
    }),
  );
});
