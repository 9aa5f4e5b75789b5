import { recordEarlierNames } from '../agents/names.ts';
import { addAgents } from '../agents/store.ts';
import type { WriteSession } from '../db/types.ts';
import { recordErasure } from '../feed/event-store.ts';
import type { PositionClock } from '../position.ts';
import { forgetErased } from '../reactions/store/erased-ids.ts';
import {
  abandonedBefore,
  foundByKeys,
  keysOfActor,
  mentions,
  type ScanPart,
  type Start,
  scanRows,
  voidedBefore,
} from '../statements/actor-statements.ts';
import type { StatementRemover } from '../statements/removal.ts';
import { mentionsOf } from '../xapi/mentions.ts';
import { sumOf } from './counts.ts';
import { type Phase, type Progress, phases } from './progress-store.ts';
import {
  countAgent,
  deleteAgent,
  deleteDocumentRows,
  deleteNames,
  documentsAfter,
  firstKey,
  hasDocuments,
  newestNameSeen,
  selectNameKeys,
} from './record-store.ts';
import type { RowCounts } from './types.ts';

/** One transaction of an erasure. */
interface Step {
  readonly session: WriteSession;
  readonly remover: StatementRemover;
  readonly clock: PositionClock;
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

/** How many firings of reactions are looked at in one transaction. */
const firingsAtOnce = 500;

const walks: Readonly<Record<Phase, (step: Step) => Promise<StepResult>>> = {
  voided: async (step) => removeMentions(step, await voidedBefore(step.session, startOf(step))),
  abandoned: async (step) => removeMentions(step, await abandonedBefore(step.session, startOf(step))),
  found: async (step) =>
    removeMentions(step, await foundByKeys(step.session, keysOfActor(step.identifier), startOf(step))),

  async firings({ session, cursor, share }) {
    const after = typeof cursor === 'string' ? cursor : undefined;
    const next = await forgetErased(session, { after, rows: Math.ceil(firingsAtOnce * share) });
    return { removed: {}, next };
  },

  async referrers({ session, remover, identifier, ...step }) {
    const keys = keysOfActor(identifier);
    const { statements, next } = await foundByKeys(session, keys, startOf(step));
    const referrers = statements.filter((each) => !mentions(each, identifier));
    await remover.stripKeys(session, referrers, keys);
    return { removed: {}, next };
  },

  names: removeNames,

  async documents({ session, identifier, cursor }) {
    const { keys, next } = await documentsAfter(session, identifier, String(cursor ?? firstKey));
    await deleteDocumentRows(session, keys);
    return { removed: { document: keys.length }, next };
  },

  async agent({ session, identifier }) {
    const agent = await countAgent(session, identifier);
    await deleteAgent(session, identifier);
    return { removed: { agent }, next: undefined };
  },

  async returned({ session, identifier, ...step }) {
    const { statements, next } = await foundByKeys(session, keysOfActor(identifier), startOf(step));
    const placed = statements
      .filter((each) => mentions(each, identifier))
      .map(({ position, source }) => ({ position, mentions: mentionsOf(source, source.authority) }))
      .reverse();
    await recordEarlierNames(session, placed, identifier);
    if (placed.length > 0 || (await hasDocuments(session, identifier))) {
      await addAgents(session, new Set([identifier]));
    }
    return { removed: {}, next };
  },
};

/** Those that were there at its beginning: an actor that goes on storing may get new names faster than they are removed. */
async function removeNames({ session, identifier, cursor }: Step): Promise<StepResult> {
  const through = typeof cursor === 'number' ? cursor : await newestNameSeen(session, identifier);
  if (through === undefined) return { removed: {}, next: undefined };
  const { keys, more } = await selectNameKeys(session, identifier, through);
  if (keys.length > 0) await deleteNames(session, keys);
  return { removed: { agent_name: keys.length }, next: more ? through : undefined };
}

function startOf({ cursor, share }: Pick<Step, 'cursor' | 'share'>): Start {
  const before = typeof cursor === 'number' ? cursor : Number.MAX_SAFE_INTEGER;
  return { before, rows: Math.ceil(scanRows * share) };
}

/** Removes those that mention the actor; a voided one that only refers to such a one loses the actor's keys. */
async function removeMentions(
  { session, remover, clock, identifier }: Step,
  { statements, next }: ScanPart,
): Promise<StepResult> {
  const mentioning = statements.filter((each) => mentions(each, identifier));
  const voided = statements.filter((each) => each.voided && !mentions(each, identifier));
  const ids = mentioning.map(({ statement }) => String(statement.id).toLowerCase());
  await recordErasure(session, clock, ids);
  const removed = await remover.remove(session, mentioning);
  await remover.stripKeys(session, voided, keysOfActor(identifier));
  return { removed, next };
}
