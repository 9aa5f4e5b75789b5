import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentService } from '../../lib/documents/service.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, serviceOn, statement, voiding } from '../support/statements.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/sql.md'), 'utf8');
const queries = Array.from(page.matchAll(/^### (.+)\n[^`]*```sql\n([^`]+?);?\n```/gm), ([, title, sql]) => ({
  title: title ?? '',
  sql: sql ?? '',
}));

const ann = { ...agent('ann'), name: 'Ann' };
const course = 'https://example.org/course';
const passed = 'http://adlnet.gov/expapi/verbs/passed';
const completed = 'http://adlnet.gov/expapi/verbs/completed';
const registration = '7f1d8a1e-6b0a-4a43-8d8c-1f1d6f005b1e';
const about = { id: course, definition: { name: { en: 'A course' } } };

describe.each(engines)('what docs/sql.md says of $name', (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await engine.create();
    const content = Buffer.from('certificate');
    const sha2 = '8f7de6e9c4c1b3a25f0ce3a7d1d3b0a9d1a1a8f3b8f1a6fe4f1b8d6b0c9e7a10';
    const attachment = {
      usageType: 'https://example.org/certificate',
      display: { en: 'C' },
      contentType: 'text/plain',
    };
    const attachments = [{ ...attachment, length: content.length, sha2 }];
    const service = serviceOn(database.db);
    const [wrong = ''] = await service.store(batchOf([statement({ verb: { id: passed } })]));
    await service.store(batchOf([voiding(wrong)]));
    await service.store(
      batchOf(
        [
          statement({
            actor: ann,
            verb: { id: passed },
            object: about,
            result: { success: true, completion: true, score: { scaled: 0.75, raw: 30 }, duration: 'PT1H' },
            context: { registration, platform: 'Moodle' },
          }),
          statement({ actor: ann, verb: { id: completed }, object: about, context: { registration } }),
          statement({
            actor: { ...agent('bob'), name: 'nul \0 character' },
            verb: { id: passed },
            object: about,
            result: { success: false, score: { scaled: 0.25 } },
            attachments,
          }),
        ],
        { attachments: [{ sha2, contentType: 'text/plain', content }] },
      ),
    );
    const address = {
      kind: 'activities/state',
      activity: course,
      agent: 'mbox::mailto:ann@example.org',
      registration: undefined,
      id: 'bookmark',
    } as const;
    const document = { contentType: 'text/plain', content: Buffer.from('7') };
    const terms = { conditions: {}, version: '1.0.3' } as const;
    await createDocumentService(database.db).put(address, document, terms);
  });

  afterAll(() => database.remove());

  const run = (sql: string) => database.db.read((session) => session.select<Record<string, unknown>>(sql));

  it('has at least ten queries', () => {
    expect(queries.length).toBeGreaterThanOrEqual(10);
    expect(page.match(/```sql/g)).toHaveLength(queries.length);
  });

  it.each(queries)('finds something: $title', async ({ sql }) => {
    expect((await run(sql)).length).toBeGreaterThan(0);
  });

  it('shows each statement that is not voided, with its values', async () => {
    const rows = await run(
      `SELECT actor, object, registration, completion, success, score_scaled, score_raw, duration, platform, actor_name
       FROM statement_report WHERE verb = '${passed}' ORDER BY position`,
    );
    expect(rows).toEqual([
      {
        actor: 'mbox::mailto:ann@example.org',
        object: course,
        registration,
        completion: 1,
        success: 1,
        score_scaled: 0.75,
        score_raw: 30,
        duration: 'PT1H',
        platform: 'Moodle',
        actor_name: 'Ann',
      },
      expect.objectContaining({ success: 0, score_scaled: 0.25, completion: null, platform: null }),
    ]);
  });

  it('shows when a statement was stored, in UTC', async () => {
    const [row] = await run('SELECT MAX(position) AS newest, MAX(date(stored)) AS day FROM statement_report');
    const expected = new Date(Number(row?.newest) / 1000);
    const day = row?.day;
    const shown =
      day instanceof Date
        ? new Date(day.getTime() - day.getTimezoneOffset() * 60_000)
        : new Date(String(day));
    expect(shown.toISOString().slice(0, 10)).toBe(expected.toISOString().slice(0, 10));
  });
});
