import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { exportText } from '../../lib/export/lines.ts';
import { createLogger } from '../../lib/logger.ts';
import { type ImportOptions, runImport } from '../../lib/transfer/importer.ts';
import { Journal, type Progress } from '../../lib/transfer/journal.ts';
import { type OpenStore, storeAsTarget, storeOn } from '../../lib/transfer/open-store.ts';
import { compareAll } from '../../lib/transfer/parity/parity.ts';
import type { ParityReport } from '../../lib/transfer/parity/report.ts';
import type { Source, Target } from '../../lib/transfer/records.ts';
import type { Agent } from '../../lib/xapi/types.ts';
import { loginOf } from './administration.ts';
import { type Engine, engines, type TestDatabase } from './engines.ts';
import { agent, batchOf, reference, statement, voiding } from './statements.ts';

/** A store on a database of its own, with all services. */
export interface TestStore {
  readonly database: TestDatabase;
  readonly store: OpenStore;
  remove(): Promise<void>;
}

export async function createStore(engine: Engine): Promise<TestStore> {
  const database = await engine.create();
  const { config, secrets } = loadConfig({
    env: { LRS_LOG_LEVEL: 'OFF', LRS_ENABLE_REACTIONS: 'true' },
    cwd: import.meta.dirname,
  });
  const store = await storeOn(database.db, { config, secrets, logger: createLogger('OFF') });
  const remove = async (): Promise<void> => {
    await store.services.statements.stop();
    await database.remove();
  };
  return { database, store, remove };
}

/** A folder that is removed with what is in it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'transfer-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** What one test imports into, and keeps files in. */
export interface ImportPlace {
  readonly to: TestStore;
  readonly folder: Awaited<ReturnType<typeof temporaryFolder>>;
}

/** A store on SQLite and a folder, new for each test of the block that calls this. */
export function newPlaceForEachTest(): ImportPlace {
  let place: ImportPlace;
  beforeEach(async () => {
    const sqlite = engines.find(({ dialect }) => dialect === 'sqlite');
    if (sqlite === undefined) throw new Error('There is no engine.');
    place = { folder: await temporaryFolder(), to: await createStore(sqlite) };
  });
  afterEach(async () => {
    await place.to.remove();
    await place.folder.remove();
  });
  return {
    get to() {
      return place.to;
    },
    get folder() {
      return place.folder;
    },
  };
}

/** All lines of an export, the time when it was made left out. */
export async function linesOf(
  { db, services }: OpenStore,
  { secrets = true, plain = false }: { readonly secrets?: boolean; readonly plain?: boolean } = {},
): Promise<string[]> {
  let text = '';
  for await (const slice of exportText({ db, ...services, secrets, plain, now: () => 0 })) text += slice;
  return text.split(/(?<=\n)/);
}

/** Writes an export of the store into a file. */
export async function exportInto(file: string, store: OpenStore, options = {}): Promise<void> {
  await writeFile(file, gzipSync((await linesOf(store, options)).join('')));
}

export const unpacked = (bytes: Buffer): string[] => gunzipSync(bytes).toString('utf8').trimEnd().split('\n');

/** Imports, and compares afterwards. */
export async function importFrom(
  source: Source,
  target: Target,
  {
    folder,
    ...options
  }: { readonly folder: string } & Pick<ImportOptions, 'signal' | 'onProgress' | 'merge'>,
): Promise<{ readonly progress: Progress; readonly report: ParityReport }> {
  const journal = new Journal(folder);
  const progress = await runImport({ source, target, journal, ...options });
  return { progress, report: await compareAll({ source, target, journal, imported: progress }) };
}

export const trustedTarget = (store: OpenStore): Target =>
  storeAsTarget(store, { trusted: true, dry: false });

export const password = 'Corr3ct-horse!';

/** Statements of two authorities with attachments, references, voided ones and odd numbers; documents, an account, a reaction. */
export async function fill({
  services,
}: OpenStore): Promise<{ readonly apiKey: string; readonly secretKey: string }> {
  const { statements, accounts, credentials, documents, reactions } = services;
  const account = await accounts.create('operator-one', password);
  await accounts.external({ username: 'someone-from-elsewhere', issuer: 'https://issuer.example' });
  const pair = await credentials.create(
    loginOf(account),
    ['statements/read', 'statements/write'],
    'the course platform',
  );
  await credentials.create(loginOf(account), ['all'], null);
  const own: Agent = { objectType: 'Agent', account: { homePage: 'https://lrs.example', name: pair.id } };
  const content = Buffer.from('a certificate');
  const sha2 = createHash('sha256').update(content).digest('hex');
  const certified = () =>
    statement({
      attachments: [
        {
          usageType: 'https://example.org/certificate',
          display: { en: 'Certificate' },
          contentType: 'text/plain',
          length: content.length,
          sha2,
        },
      ],
    });
  const [target, voided] = [randomUUID(), randomUUID()];
  await statements.store(
    batchOf([
      statement({ id: target }),
      statement({ id: voided, actor: { ...agent('ann'), name: 'odd"}{ \\"' } }),
    ]),
  );
  await statements.store(batchOf([reference(target), voiding(voided)], { authority: own }));
  const attachments = [{ sha2, contentType: 'text/plain', content }];
  await statements.store(batchOf([certified(), certified()], { authority: own, attachments }));
  await statements.receive({
    json: Buffer.from(
      JSON.stringify(statement())
        .replace('}', ',"name":"Ü \\u00e9"}')
        .replace(/}$/, ',"result":{"score":{"raw":1.0,"max":1e1}}}'),
    ),
    parts: [],
    authority: own,
    version: '2.0.0',
    limits: { stmtMaxCount: 1, stmtMaxBytes: 10_000, stmtMaxValues: 100, stmtMaxEntries: 100 },
  });
  const registration = randomUUID();
  const ann = 'mbox::mailto:ann@example.org';
  const activity = 'https://example.org/activities/a';
  const json = { contentType: 'application/json', content: Buffer.from('{"a": 1}') };
  const state = { kind: 'activities/state', activity, agent: ann, id: 'bookmark' } as const;
  const terms = { version: '1.0.3', conditions: {} } as const;
  await documents.put({ ...state, registration }, json, terms);
  await documents.put(
    { ...state, registration: undefined },
    { contentType: 'image/png', content: Buffer.from([0, 255, 1]) },
    terms,
  );
  const fresh = { version: '1.0.3', conditions: { ifNoneMatch: '*' } } as const;
  const none = { registration: undefined, id: 'profile' };
  await documents.put(
    { kind: 'agents/profile', activity: undefined, agent: 'account::ann@https://a.example', ...none },
    json,
    fresh,
  );
  await documents.put({ kind: 'activities/profile', activity, agent: undefined, ...none }, json, fresh);
  await reactions.create({
    title: 'Congratulate',
    active: true,
    ruleset: {
      identityPaths: [['actor', 'mbox']],
      conditions: { done: { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/verbs/did' } },
      template: {
        actor: { mbox: 'mailto:lrs@example.org' },
        verb: { id: 'https://example.org/verbs/congratulated' },
        object: { id: activity },
      },
    },
  });
  await statements.finishReferences();
  return pair;
}
