import { recordEarlierNames } from '../agents/names.ts';
import { addAgents } from '../agents/store.ts';
import type { WriteSession } from '../db/types.ts';
import type { SearchIndex } from '../statements/search-index.ts';
import { sightingsOf } from '../xapi/sightings.ts';
import { sumOf } from './counts.ts';
import {
  abandonedBefore,
  foundByKeys,
  keysOfActor,
  longestStretch,
  mentions,
  type Start,
  type Stretch,
  voidedBefore,
} from './finder.ts';
import { type Phase, type Progress, phases } from './progress-store.ts';
import {
  countAgent,
  deleteAgent,
  deleteDocumentRows,
  deleteNames,
  documentsAfter,
  firstKey,
  hasDocuments,
  selectNameKeys,
} from './record-store.ts';
import { removeStatements, stripKeys } from './statement-store.ts';
import type { RowCounts } from './types.ts';

/** One transaction of an erasure. */
interface Step {
  readonly session: WriteSession;
  readonly index: SearchIndex;
  readonly identifier: string;
  readonly cursor: Progress['cursor'];
  /** Of the most that a transaction does. */
  readonly share: number;
}

interface StepResult {
  readonly removed: Partial<RowCounts>;
  /** Where the phase goes on; undefined at its end. */
  readonly next: number | string | undefined;
}

/** Does a bounded part of the erasure. @returns undefined when nothing is left to do. */
export async function advance(
  step: Omit<Step, 'cursor'>,
  { phase, cursor, removed }: Progress,
): Promise<{ readonly removed: RowCounts; readonly progress: Progress | undefined }> {
  const result = await walks[phase]({ ...step, cursor });
  const sum = sumOf(removed, result.removed);
  if (result.next !== undefined) {
    return { removed: sum, progress: { phase, cursor: result.next, removed: sum } };
  }
  const next = phases[phases.indexOf(phase) + 1];
  return { removed: sum, progress: next && { phase: next, cursor: null, removed: sum } };
}

const walks: Readonly<Record<Phase, (step: Step) => Promise<StepResult>>> = {
  voided: async (step) => removeMentions(step, await voidedBefore(step.session, startOf(step))),
  abandoned: async (step) => removeMentions(step, await abandonedBefore(step.session, startOf(step))),
  found: async (step) =>
    removeMentions(step, await foundByKeys(step.session, keysOfActor(step.identifier), startOf(step))),

  async referrers({ session, index, identifier, ...step }) {
    const keys = keysOfActor(identifier);
    const { statements, next } = await foundByKeys(session, keys, startOf(step));
    const referrers = statements.filter((each) => !mentions(each, identifier));
    await stripKeys(session, index, { keys, statements: referrers });
    return { removed: {}, next };
  },

  names: removeNames,

  async documents({ session, identifier, cursor }) {
    const { keys, next } = await documentsAfter(session, identifier, String(cursor ?? firstKey));
    await deleteDocumentRows(session, keys);
    return { removed: { document: keys.length }, next };
  },

  async agent(step) {
    const names = await removeNames(step);
    if (names.next !== undefined) return names;
    const agent = await countAgent(step.session, step.identifier);
    await deleteAgent(step.session, step.identifier);
    return { removed: { agent }, next: undefined };
  },

  async returned({ session, identifier, ...step }) {
    const { statements, next } = await foundByKeys(session, keysOfActor(identifier), startOf(step));
    const placed = statements
      .filter((each) => mentions(each, identifier))
      .map(({ position, source }) => ({ position, sightings: sightingsOf(source, source.authority) }))
      .reverse();
    await recordEarlierNames(session, placed, identifier);
    if (placed.length > 0 || (await hasDocuments(session, identifier))) {
      await addAgents(session, new Set([identifier]));
    }
    return { removed: {}, next };
  },
};

async function removeNames({ session, identifier }: Step): Promise<StepResult> {
  const keys = await selectNameKeys(session, identifier);
  if (keys.length === 0) return { removed: {}, next: undefined };
  await deleteNames(session, keys);
  return { removed: { agent_name: keys.length }, next: 0 };
}

function startOf({ cursor, share }: Pick<Step, 'cursor' | 'share'>): Start {
  const before = typeof cursor === 'number' ? cursor : Number.MAX_SAFE_INTEGER;
  return { before, rows: Math.ceil(longestStretch * share) };
}

/** Removes those that mention the actor; a voided one that only refers to such a one loses the actor's keys. */
async function removeMentions(
  { session, index, identifier }: Step,
  { statements, next }: Stretch,
): Promise<StepResult> {
  const mentioning = statements.filter((each) => mentions(each, identifier));
  const voided = statements.filter((each) => each.voided && !mentions(each, identifier));
  const removed = await removeStatements(session, index, mentioning);
  await stripKeys(session, index, { keys: keysOfActor(identifier), statements: voided });
  return { removed, next };
}
