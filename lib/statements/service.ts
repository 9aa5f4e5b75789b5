import { databaseContents } from '../attachments/content-store.ts';
import type { ContentStore } from '../attachments/types.ts';
import { BusyTime } from '../busy-time.ts';
import { readingFromReplicas } from '../db/replica-reads.ts';
import { type Database, smallContentBytes } from '../db/types.ts';
import { Interner } from '../json/interner.ts';
import { traced } from '../telemetry/trace.ts';
import { addContents } from './commit/add-contents.ts';
import { StatementWriter, type StatementWriterOptions, type Submitted } from './commit/statement-writer.ts';
import { AdmissionControl } from './ingest/admission-control.ts';
import { prepareBatch } from './ingest/prepare.ts';
import { readDelivery } from './ingest/receive.ts';
import type { ScanSizes } from './search/plan.ts';
import { StatementReader } from './search/reader.ts';
import { selectSizes, selectTextsByIds } from './stored-sizes.ts';
import type { Delivery, StatementBatch, StatementService } from './types.ts';
import type { PreparedBatch, StatementImporter } from './within.ts';

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
  const interner = new Interner();
  const reader = new StatementReader(readingFromReplicas(db), {
    pageBytes,
    contents,
    ...(scanSizes && { scanSizes }),
  });

  /** The memory is reserved until the statements are committed or refused. */
  async function ingest(delivery: Delivery): Promise<Submitted> {
    const start = performance.now();
    const place = await traced('admission', admission.enter(bytesOf(delivery), delivery.client));
    try {
      if (performance.now() - start > longWait) await delivery.authenticateAgain?.();
      const request = await traced('prepare', readAndPrepare(delivery));
      place.endReading();
      return await traced('commit', writer.submit(request));
    } finally {
      place.leave();
    }
  }

  /** What reading leaves behind is garbage when this returns, because many prepared requests may wait to be written. */
  async function readAndPrepare(delivery: Delivery): Promise<PreparedBatch> {
    return prepare(await readDelivery(delivery, interner));
  }

  async function prepare(batch: StatementBatch): Promise<PreparedBatch> {
    return { statements: await prepareBatch(batch, interner.trees), contents: batch.attachments };
  }

  async function idsOf(storing: Promise<Submitted>): Promise<string[]> {
    const { ids, propagates } = await storing;
    if (propagates) await writer.after.propagateReferences();
    return ids;
  }

  return {
    receive: (delivery) => storing.during(() => idsOf(ingest(delivery))),
    store: async (batch) => idsOf(writer.submit(await prepare(batch))),
    get: (by, presentation) => reader.one(by, presentation),
    query: (query, presentation) => reader.page(query, presentation),
    queryExact: (query, terms) => reader.exactPage(query, terms),
    measure: (query) => reader.measure(query),
    prepare,
    sizesOf: (ids) => db.read((session) => selectSizes(session, ids)),
    textsOf: (ids, bytes) =>
      db.read((session) => selectTextsByIds(session, ids), { large: bytes > smallContentBytes }),
    prepareDelivery: readAndPrepare,
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

/** Milliseconds after which the credentials of a body that had to wait may not be valid any more. */
const longWait = 1000;

/** Of the whole body: contents are hashed, and signatures parsed as statements are. */
function bytesOf({ json, parts }: Delivery): number {
  return parts.reduce((sum, { content }) => sum + content.length, json.length);
}
