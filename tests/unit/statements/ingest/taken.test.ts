import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { ReadSession } from '../../../../lib/db/types.ts';
import { ConflictError } from '../../../../lib/errors.ts';
import { type Admission, admit } from '../../../../lib/statements/ingest/admit.ts';
import { type PreparedStatement, prepareBatch } from '../../../../lib/statements/ingest/prepare.ts';
import { TakenStatements } from '../../../../lib/statements/ingest/taken.ts';
import type { Statement } from '../../../../lib/xapi/types.ts';
import { batchOf, statement } from '../../../support/statements.ts';

const stored = '2024-01-01T00:00:00.000000Z';
const longLength = 200_000;
const response = 'x'.repeat(longLength);

/** A stored statement that is long. */
const long = (id: string): Statement =>
  statement({ id, stored, timestamp: stored, result: { response: response + id } });

/** A session over statements, and how often the text of each was read. */
function sessionOver(...statements: Statement[]) {
  const reads = new Map<string, number>();
  const select = async (sql: string, { ids }: { readonly ids: readonly string[] }) =>
    statements
      .filter(({ id = '' }) => ids.includes(id))
      .map(({ id = '', ...rest }) => {
        const payload = JSON.stringify({ id, ...rest });
        if (!sql.includes('payload FROM')) return { id, bytes: payload.length };
        if (!sql.includes('OCTET_LENGTH')) reads.set(id, (reads.get(id) ?? 0) + 1);
        return { id, payload, bytes: payload.length };
      });
  return { session: { select } as unknown as ReadSession, reads };
}

/** Requests of one small statement each, with these ids in turn. */
function requestsWith(ids: readonly string[], count: number): Promise<PreparedStatement[][]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      prepareBatch(batchOf([statement({ id: ids[index % ids.length] ?? '' })])),
    ),
  );
}

async function admitAll(
  session: ReadSession,
  requests: readonly PreparedStatement[][],
): Promise<Admission[]> {
  const ids = requests.flatMap((statements) => statements.map(({ id }) => id));
  const taken = await TakenStatements.of(session, ids, () => {});
  return admit(requests, (id, pauses) => taken.find(id, pauses));
}

/** Counts the texts of at least `longLength` that are parsed from now on. */
function countingLongTexts(): () => number {
  const parse = vi.spyOn(JSON, 'parse');
  return () => parse.mock.calls.filter(([text]) => text.length > longLength).length;
}

afterEach(() => {
  vi.restoreAllMocks();
});

it('stored statements whose ids many requests have are read and parsed once', async () => {
  const ids = Array.from({ length: 8 }, () => randomUUID());
  const { session, reads } = sessionOver(...ids.map(long));
  const requests = await requestsWith(ids, 40);
  const parsed = countingLongTexts();
  const admissions = await admitAll(session, requests);
  expect(admissions).toEqual(requests.map(() => ({ refused: expect.any(ConflictError) })));
  expect(parsed()).toBe(ids.length);
  expect(Object.fromEntries(reads)).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
});

it('a long statement of an earlier request, whose id many others have, is parsed once', async () => {
  const id = randomUUID();
  const first = await prepareBatch(batchOf([statement({ id, result: { response } })]));
  const others = await requestsWith([id], 40);
  const parsed = countingLongTexts();
  const [admitted, ...refused] = await admitAll(sessionOver().session, [first, ...others]);
  expect(admitted).toEqual({ admitted: first });
  expect(refused).toEqual(others.map(() => ({ refused: expect.any(ConflictError) })));
  expect(parsed()).toBe(1);
});

it('requests that are refused because of their ids leave the event loop to others in between', async () => {
  const id = randomUUID();
  const requests = await requestsWith([id], 40);
  const { session } = sessionOver(long(id));
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  let isOver = false;
  const admitting = admitAll(session, requests).then(() => {
    isOver = true;
  });
  let turns = 0;
  while (!isOver) {
    await setImmediate();
    turns += 1;
  }
  await admitting;
  expect(turns).toBeGreaterThanOrEqual(requests.length);
});
