import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { smallContentBytes } from '../../lib/db/types.ts';
import { createStatementService } from '../../lib/statements/service.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { batchOf, statement } from '../support/statements.ts';

const to = (id: string, more: object = {}) =>
  statement({ id: randomUUID(), object: { objectType: 'StatementRef', id }, ...more });

/** What a reference is assumed to inherit yet, where that is not known. */
const mayInherit = 256;

describe.each(engines)('the sizes of stored statements, on $name', (engine) => {
  let database: TestDatabase;
  let service: ReturnType<typeof createStatementService>;

  beforeEach(async () => {
    database = await engine.create();
    service = createStatementService(database.db, { pageBytes: 4_194_304, waitingBytes: 100_663_296 });
  });

  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  async function store(one: ReturnType<typeof statement>): Promise<string> {
    const [id = ''] = await service.store(batchOf([one]));
    return id;
  }

  const entriesOf = async (id: string) => (await service.sizesOf([id])).get(id)?.indexEntries;

  it('are the lengths of their texts, which tell how many index entries one has that refers to none', async () => {
    const id = await store(statement({ id: randomUUID() }));
    const text = (await service.textsOf([id, randomUUID()], 1000)).get(id) ?? '';
    expect(text).toContain(id);
    expect(await service.sizesOf([id, randomUUID()])).toEqual(
      new Map([[id, { bytes: Buffer.byteLength(text), indexEntries: undefined }]]),
    );
  });

  it('and their texts are read one call at a time only where they are long, so that short ones wait for nobody', async () => {
    const id = await store(statement({ id: randomUUID() }));
    const read = vi.spyOn(database.db, 'read');
    for (const bytes of [smallContentBytes, smallContentBytes + 1])
      expect((await service.textsOf([id], bytes)).size).toBe(1);
    expect(read.mock.calls.map(([, options]) => options)).toEqual([{ large: false }, { large: true }]);
    read.mockRestore();
  });

  it('include the entries of one that refers to another, and those that it may yet inherit only where that is open', async () => {
    const plain = await store(statement({ id: randomUUID() }));
    const settled = await store(to(plain));
    const few = (await entriesOf(settled)) ?? Number.NaN;
    expect(few).toBeLessThan(20);
    const missing = randomUUID();
    const waiting = await store(to(missing));
    expect(await entriesOf(waiting)).toBeGreaterThan(mayInherit);
    expect(await entriesOf(await store(to(waiting)))).toBeGreaterThan(mayInherit);
    await store(statement({ id: missing }));
    expect(await entriesOf(waiting)).toBe(few);
    await database.db.write((session) =>
      session.execute(
        `INSERT INTO reference_pending (target, step, referrers_through, voiders_through) VALUES (:plain, 0, 0, 0)`,
        { plain },
      ),
    );
    expect(await entriesOf(settled)).toBe(few + mayInherit);
  });

  it('are without entries where a statement is voided', async () => {
    const plain = await store(statement({ id: randomUUID() }));
    await store(to(plain, { verb: { id: 'http://adlnet.gov/expapi/verbs/voided' } }));
    expect(await entriesOf(plain)).toBe(0);
  });
});
