import { AgentRecorder } from '../agents/recorder.ts';
import { GroupCommit, type GroupLimits, type Weight } from '../db/group-commit.ts';
import type { Batches, Database, WriteSession } from '../db/types.ts';
import { type AppliedChanges, applyChanges, type DocumentChange, type DocumentWrite } from './changes.ts';
import { DocumentDraft } from './draft.ts';
import { documentKey } from './keys.ts';
import type { Members } from './merge.ts';
import { type EpochRow, epochCheckOf, findBefore, putDocuments, removeDocuments } from './store.ts';

/** What one transaction writes at most, unless a single request is larger. */
const groupLimits: GroupLimits = {
  group: { entries: 500, size: 8 * 1024 * 1024 },
  // Any merge that is done in a transaction is light.
  light: { entries: 1, size: 256 * 1024 },
};

/** A stored document of more bytes is not read, nor merged into, under the write lock. */
export const smallBytes = 16 * 1024;

/** How many times its size a merge counts, with the document that it is merged into: so much longer each byte takes. */
const mergeWeight = 8;

export interface DocumentWriterOptions {
  /** Microseconds since the epoch. */
  readonly now: () => number;
  /** The members of a small stored document. */
  readonly membersOf: (content: Buffer) => Members;
}

/** A change that waits to be written. */
export interface SubmittedChange extends Omit<DocumentChange, 'key'> {
  /** Of the content that is sent, in bytes. */
  readonly size?: number;
  /** Whether the change reads the content of the stored document. */
  readonly merges?: boolean;
}

/** Writes changes of documents, many of them in one transaction. */
export class DocumentWriter {
  readonly #agents = new AgentRecorder();
  readonly #db: Database;
  readonly #now: () => number;
  readonly #membersOf: (content: Buffer) => Members;
  readonly #commits: GroupCommit<SubmittedChange, void>;

  constructor(db: Database, { now, membersOf }: DocumentWriterOptions) {
    this.#db = db;
    this.#now = rising(now);
    this.#membersOf = membersOf;
    this.#commits = new GroupCommit({
      write: (changes: readonly SubmittedChange[], next) => this.#writeGroup(changes, next),
      weigh: weightOf,
      limits: groupLimits,
    });
  }

  /** @throws what the change throws. */
  write(change: SubmittedChange): Promise<void> {
    return this.#commits.submit(change);
  }

  async #writeGroup(
    submitted: readonly SubmittedChange[],
    next: () => void,
  ): Promise<readonly PromiseSettledResult<void>[]> {
    const changes = submitted.map((change) => ({ ...change, key: documentKey(change.address) }));
    const { batches } = this.#db;
    if (batches !== undefined && fitBatch(changes, batches)) {
      const outcomes = await this.#writeBatch(batches, changes, next);
      if (outcomes !== undefined) return outcomes;
    }
    const keys = new Set(changes.filter(({ blind }) => !blind).map(({ key }) => key));
    const contentBytes = submitted.some(({ merges }) => merges) ? smallBytes : 0;
    const work = async (session: WriteSession) => {
      session.onCommitting(next);
      const { stored, agentsEpoch } = await findBefore(session, { keys, contentBytes });
      this.#agents.adopt(agentsEpoch);
      const drafted = Array.from(stored, ([key, document]) => {
        const draft = new DocumentDraft(document, this.#membersOf);
        return [key, { draft, updated: document.updated }] as const;
      });
      const { outcomes, writes } = applyChanges(changes, new Map(drafted), this.#now());
      const agents = this.#agents.record(session, ownersOf(writes.values()));
      removeDocuments(session, writes);
      putDocuments(session, writes);
      await agents;
      return outcomes;
    };
    return this.#db.write(work, { readsFirst: true });
  }

  /**
   * Writes changes that take place whatever is stored, as one batch.
   * @returns undefined when what is cached of Agents did not count; nothing is written then.
   */
  async #writeBatch(
    batches: Batches,
    changes: readonly DocumentChange[],
    next: () => void,
  ): Promise<AppliedChanges['outcomes'] | undefined> {
    const { outcomes, writes } = applyChanges(changes, new Map(), this.#now());
    const { row, first } = await batches.send<EpochRow>(async (session) => {
      session.onCommitting(next);
      const check = epochCheckOf(this.#agents.epochs);
      const agents = this.#agents.record(session, ownersOf(writes.values()));
      putDocuments(session, writes);
      await agents;
      return check;
    });
    this.#agents.adopt(row.epoch);
    return first === undefined ? undefined : outcomes;
  }
}

/** Whether nothing has to be read before the changes are written, and they are not too large. */
function fitBatch(
  changes: readonly (DocumentChange & SubmittedChange)[],
  { maximumBytes }: Pick<Batches, 'maximumBytes'>,
): boolean {
  const bytes = changes.reduce((sum, { size = 0 }) => sum + size, 0);
  return bytes <= maximumBytes && changes.every(({ blind }) => blind);
}

function weightOf({ size = 0, merges = false }: SubmittedChange): Weight {
  return { entries: 1, size: merges ? mergeWeight * (size + smallBytes) : size };
}

/** The Agents whose documents are stored. */
function* ownersOf(writes: Iterable<DocumentWrite>): Generator<string> {
  for (const { address, document } of writes) {
    if (address.agent !== undefined && document !== undefined) yield address.agent;
  }
}

/** A clock that never shows the same time twice. */
function rising(clock: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(clock(), last + 1);
    return last;
  };
}
