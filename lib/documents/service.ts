import { AgentRecorder } from '../agents/recorder.ts';
import { GroupCommit, type GroupLimits } from '../db/group-commit.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { NotFoundError } from '../errors.ts';
import { applyChanges, type DocumentChange, type DocumentWrite } from './changes.ts';
import { entityTagOf, requireConditions } from './entity-tag.ts';
import { documentKey } from './keys.ts';
import { listOf, textOf } from './list.ts';
import { isJson, merged, parseObject, refuseMergeOf } from './merge.ts';
import { isBlind, requirePermittedPut, requirePuttable } from './put.ts';
import { deleteDocuments, findBefore, findDocument, listDocuments, writeDocuments } from './store.ts';
import type { DocumentAddress, DocumentService } from './types.ts';

export interface DocumentServiceOptions {
  /** Microseconds since the epoch. */
  readonly now?: () => number;
}

/** What one transaction writes at most, unless a single request is larger. */
const groupLimits: GroupLimits = { entries: 500, size: 8 * 1024 * 1024 };

/** The document resources over a database. One per database and process, because it groups the writes it gets. */
export function createDocumentService(db: Database, options: DocumentServiceOptions = {}): DocumentService {
  const writing = { agents: new AgentRecorder(), now: rising(options.now ?? (() => Date.now() * 1000)) };
  const commits = new GroupCommit({
    write: (changes: readonly SizedChange[], onCommitSent) =>
      writeChanges(db, changes, { ...writing, onCommitSent }),
    weigh: ({ size }) => ({ entries: 1, size }),
    limits: groupLimits,
  });
  const change = (address: DocumentAddress, { size = 0, ...rest }: Change) =>
    commits.submit({ key: documentKey(address), address, size, ...rest });

  return {
    async get(address) {
      const document = await db.read((session) => findDocument(session, documentKey(address)));
      if (document === undefined) throw new NotFoundError('There is no such document.');
      return document;
    },

    list: async (collection, since = 0) =>
      listOf(await db.read((session) => listDocuments(session, collection, since))),

    async put(address, document, terms) {
      requirePuttable(address.kind, document, terms);
      await change(address, {
        conditions: terms.conditions,
        blind: isBlind(address.kind, terms),
        size: document.content.length,
        next(stored) {
          requirePermittedPut(address.kind, stored, terms);
          return document;
        },
      });
    },

    async merge(address, document, { conditions }) {
      const posted = isJson(document) ? parseObject(document) : undefined;
      await change(address, {
        conditions,
        size: document.content.length,
        next(stored) {
          if (stored === undefined) return document;
          return posted === undefined
            ? refuseMergeOf(document)
            : merged(stored, document.contentType, posted);
        },
      });
    },

    delete: (address, conditions) => change(address, { conditions, next: () => undefined }),

    deleteAll: (collection, conditions) =>
      db.write(async (session) => {
        const { ids } = listOf(await listDocuments(session, collection, 0));
        requireConditions(conditions, entityTagOf(textOf(ids)));
        await deleteDocuments(session, collection);
      }),
  };
}

/** `size` is the length of its content in bytes. */
type SizedChange = DocumentChange & { readonly size: number };
type Change = Pick<DocumentChange, 'conditions' | 'blind' | 'next'> & { readonly size?: number };

interface Writing {
  readonly agents: AgentRecorder;
  readonly now: () => number;
  readonly onCommitSent: () => void;
}

async function writeChanges(
  db: Database,
  changes: readonly DocumentChange[],
  { agents, now, onCommitSent }: Writing,
): Promise<readonly PromiseSettledResult<void>[]> {
  const keys = new Set(changes.filter(({ blind }) => !blind).map(({ key }) => key));
  const work = async (session: WriteSession) => {
    const { stored, agentsEpoch } = await findBefore(session, keys);
    agents.adopt(agentsEpoch);
    const { outcomes, writes } = applyChanges(changes, stored, now());
    const committed = await agents.record(session, ownersOf(writes.values()));
    writeDocuments(session, writes);
    return { outcomes, committed };
  };
  const { outcomes, committed } = await db.write(work, { readsFirst: true, onCommitSent });
  committed();
  return outcomes;
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
