import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON, ObjectId } from 'bson';
import type { Statement } from '../../lib/xapi/types.ts';
import { agent, statement, voiding } from './statements.ts';

/** A store of an organisation. */
export interface DumpedStore {
  readonly organisation: ObjectId;
  readonly lrs: ObjectId;
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The ids of what a store has: an ordinary statement, a voided one and what voids it, and one with an attachment. */
export const idsOf = (store: number) => ({
  plain: uuid(store * 10 + 1),
  voided: uuid(store * 10 + 2),
  voiding: uuid(store * 10 + 3),
  attached: uuid(store * 10 + 4),
});

export const contentOf = (store: number): Buffer => Buffer.from(`the certificate of store ${store}`);

function attached(id: string, content: Buffer, parts: object = {}): Statement {
  return statement({
    id,
    attachments: [
      {
        ...{ usageType: 'https://example.org/certificate', display: { en: 'Certificate' } },
        ...{ contentType: 'application/pdf', length: content.length, sha2: hashOf(content), ...parts },
      },
    ],
  });
}

/** A document of the collection `statements`, with what Learning Locker adds to a statement. */
function wrapped({ organisation, lrs }: DumpedStore, given: Statement, at: number, voided: boolean) {
  const stored = new Date(Date.UTC(2020, 0, 1, 0, 0, at));
  return {
    ...{ _id: new ObjectId(), organisation, lrs_id: lrs, client: new ObjectId(), voided, active: true },
    ...{ hash: hashOf(Buffer.from(JSON.stringify(given))), stored, timestamp: stored },
    ...{ person: { _id: new ObjectId(), display: 'Ann' }, personaIdentifier: new ObjectId() },
    ...{ agents: [], relatedAgents: [], registrations: [], verbs: [given.verb.id], activities: [], refs: [] },
    ...{ relatedActivities: [], completedQueues: [], failedForwardingLog: [] },
    statement: { ...given, stored: stored.toISOString(), timestamp: stored.toISOString(), version: '1.0.0' },
  };
}

function documentsOf(store: DumpedStore, number: number, extra: readonly Statement[]) {
  const ids = idsOf(number);
  return [
    wrapped(store, statement({ id: ids.plain, actor: agent('ann') }), 1, false),
    wrapped(store, statement({ id: ids.voided }), 2, true),
    wrapped(store, voiding(ids.voided, { id: ids.voiding }), 3, false),
    wrapped(store, attached(ids.attached, contentOf(number)), 4, false),
    ...extra.map((each, index) => wrapped(store, each, 5 + index, false)),
  ];
}

/**
 * Writes the folders of an installation with several organisations and stores, as `mongodump` and Learning Locker write them
 * (https://docs.learninglocker.net and its source): all collections, and the contents of attachments by their hashes.
 * @param lost statements of the first store whose attachments have no file.
 */
export async function writeLearningLocker(
  folder: string,
  stores: readonly DumpedStore[],
  lost: readonly string[],
): Promise<{ readonly dump: string; readonly files: string }> {
  const [dump, files] = [join(folder, 'dump'), join(folder, 'storage')];
  await mkdir(dump);
  const extra = lost.map((id) => attached(id, Buffer.from(`lost ${id}`)));
  const collections = {
    organisations: stores.map(({ organisation }) => ({ _id: organisation, name: 'An organisation' })),
    lrs: stores.map(({ organisation, lrs }) => ({ _id: lrs, organisation, title: 'A store' })),
    client: [{ _id: new ObjectId(), api: { basic_key: 'key', basic_secret: 'secret' } }],
    users: [{ _id: new ObjectId(), email: 'admin@example.org', password: 'a hash' }],
    personas: [{ _id: new ObjectId(), name: 'Ann' }],
    personaIdentifiers: [{ _id: new ObjectId(), ifi: { key: 'mbox', value: 'mailto:ann@example.org' } }],
    statements: stores.flatMap((store, number) => documentsOf(store, number, number === 0 ? extra : [])),
  };
  for (const [name, items] of Object.entries(collections)) {
    await writeFile(join(dump, `${name}.bson`), Buffer.concat(items.map((item) => BSON.serialize(item))));
  }
  for (const [number, { lrs }] of stores.entries()) {
    const attachments = join(files, lrs.toString(), 'attachments');
    await mkdir(attachments, { recursive: true });
    await writeFile(join(attachments, `${hashOf(contentOf(number))}.pdf`), contentOf(number));
  }
  return { dump, files };
}

/** Damages the attachment of a store. */
export function damage(files: string, { lrs }: DumpedStore, store: number): Promise<void> {
  const name = `${hashOf(contentOf(store))}.pdf`;
  return writeFile(join(files, lrs.toString(), 'attachments', name), 'something else');
}
