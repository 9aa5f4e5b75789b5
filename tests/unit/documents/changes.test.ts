import { describe, expect, it } from 'vitest';
import { applyChanges, type DocumentChange } from '../../../lib/documents/changes.ts';
import { DocumentDraft } from '../../../lib/documents/draft.ts';
import { entityTagOf } from '../../../lib/documents/entity-tag.ts';
import { documentKey } from '../../../lib/documents/keys.ts';
import type { Conditions, StoredDocument } from '../../../lib/documents/types.ts';
import { ConflictError, PreconditionFailedError } from '../../../lib/errors.ts';

const addressOf = (id: string) =>
  ({ kind: 'activities/profile', activity: 'a:b', agent: undefined, registration: undefined, id }) as const;

function change(
  id: string,
  next: (text: string | undefined) => string | undefined,
  conditions: Conditions = {},
): DocumentChange {
  const address = addressOf(id);
  return {
    address,
    key: documentKey(address),
    conditions,
    next: (stored) => {
      const text = next(stored?.content.toString());
      return text === undefined ? undefined : draft(text);
    },
  };
}

const draft = (text: string): DocumentDraft =>
  new DocumentDraft({ contentType: 'text/plain', content: Buffer.from(text) }, () => new Map());

const stored = (text: string, updated = 1): StoredDocument => ({
  contentType: 'text/plain',
  content: Buffer.from(text),
  etag: entityTagOf(text),
  updated,
});

const holding = (id: string, text: string, updated = 1) =>
  new Map([[documentKey(addressOf(id)), { draft: draft(text), updated }]]);

const texts = (writes: ReadonlyMap<string, { document: StoredDocument | undefined }>) =>
  [...writes.values()].map(({ document }) => document?.content.toString());

describe('changes that are applied together', () => {
  it('each see what those before them have left, and only the last state is written', () => {
    const append = change('x', (text = '') => `${text}.`);
    const { outcomes, writes } = applyChanges([append, append, append], new Map(), 5);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect([...writes.values()]).toEqual([{ address: addressOf('x'), document: stored('...', 5) }]);
  });

  it('have conditions that are asked of the state at their turn', () => {
    const taken = change('x', () => 'new', { ifMatch: [entityTagOf('old')] });
    const { outcomes, writes } = applyChanges([taken, taken], holding('x', 'old'), 5);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: expect.any(PreconditionFailedError) },
    ]);
    expect(texts(writes)).toEqual(['new']);
  });

  it('hinder no other when one is refused', () => {
    const refusing = change('x', () => {
      throw new ConflictError('no');
    });
    const { outcomes, writes } = applyChanges([refusing, change('y', () => 'y')], new Map(), 5);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(texts(writes)).toEqual(['y']);
  });

  it('write nothing where there was and is nothing', () => {
    expect(applyChanges([change('x', () => undefined)], new Map(), 5).writes.size).toBe(0);
  });

  it('remove what is there', () => {
    const { writes } = applyChanges([change('x', () => undefined)], holding('x', 'old'), 5);
    expect(texts(writes)).toEqual([undefined]);
  });

  it('make a document newer although the clock was set back', () => {
    const { writes } = applyChanges([change('x', () => 'new')], holding('x', 'old', 100), 5);
    expect([...writes.values()].map(({ document }) => document?.updated)).toEqual([101]);
  });
});
