import { databaseContents } from '../attachments/content-store.ts';
import type { ContentStore } from '../attachments/types.ts';
import { BusyTime } from '../busy-time.ts';
import { readingFromReplicas } from '../db/replica-reads.ts';
import { type Database, smallContentBytes } from '../db/types.ts';
import { Interner } from '../json/interner.ts';
import { addContents } from './commit/add-contents.ts';
import { StatementWriter, type StatementWriterOptions, type Submitted } from './commit/statement-writer.ts';
import { AdmissionControl } from './ingest/admission-control.ts';
import { StatementReceiver } from './receiver.ts';
import type { ScanSizes } from './search/plan.ts';
import { StatementReader } from './search/reader.ts';
import { selectSizes, selectTextsByIds } from './stored-sizes.ts';
import type { StatementService } from './types.ts';
import type { StatementImporter } from './within.ts';

export interface StatementServiceOptions extends StatementWriterOptions {
  /** The most bytes of the texts and contents of a page; its first statement is returned whatever its size. */
  readonly pageBytes: number;
  /** The most bytes of request bodies that are processed or waiting. */
  readonly waitingBytes: number;
  /** Where the contents of attachments are stored; in the database when undefined. */
  readonly contents?: ContentStore | undefined;
  /** Measures the time during which clients wait for their statements to be stored. */
  readonly storing?: BusyTime;
  /** The number of index entries that a search scans before it chooses the leading filter again; for tests. */
  readonly scanSizes?: ScanSizes;
}

/** The statement resource over a database. One per database and process, because it groups the requests it gets. */
export function createStatementService(
  db: Database,
  options: StatementServiceOptions,
): StatementService & StatementImporter {
  const { storing = new BusyTime(), contents = databaseContents(db), pageBytes, scanSizes } = options;
  const admission = new AdmissionControl(options.waitingBytes);
  const writer = new StatementWriter(db, contents, options);
  const { waitingBytes } = options;
  const receiver = new StatementReceiver({
    ...{ admission, contents, writer, waitingBytes },
    interner: new Interner(),
  });
  const reader = new StatementReader(readingFromReplicas(db), {
    pageBytes,
    contents,
    ...(scanSizes && { scanSizes }),
  });

  async function idsOf(storing: Promise<Submitted>): Promise<string[]> {
    const { ids, propagates } = await storing;
    if (propagates) await writer.after.propagateReferences();
    return ids;
  }

  return {
    receive: (delivery) => storing.during(() => idsOf(receiver.receive(delivery))),
    store: async (batch) => idsOf(writer.submit(await receiver.prepare(batch))),
    get: (by, presentation) => reader.one(by, presentation),
    query: (query, presentation) => reader.page(query, presentation),
    queryExact: (query, terms) => reader.exactPage(query, terms),
    measure: (query) => reader.measure(query),
    prepare: (batch) => receiver.prepare(batch),
    sizesOf: (ids) => db.read((session) => selectSizes(session, ids)),
    textsOf: (ids, bytes) =>
      db.read((session) => selectTextsByIds(session, ids), { large: bytes > smallContentBytes }),
    prepareDelivery: (delivery) => receiver.readAndPrepare(delivery),
    addContentsWithin: addContents,
    storeWithin: (session, batches) => writer.storeWithin(session, batches),
    consistentThrough: () => writer.watermark.current(),
    knownConsistentThrough: () => writer.watermark.known,
    finishReferences: () => writer.after.finishReferences(),
    stop: () => {
      admission.stop();
      return writer.stop();
    },
  };
}
