import type { ReadSession, WriteSession } from '../../db/types.ts';
import type { Position } from '../types.ts';
import type { PreparedBatch } from '../within.ts';
import { insertContents } from './contents.ts';

/**
 * Adds contents to stored statements that describe them and do not carry them yet.
 * @param batches statements that are equal to the stored ones.
 * @returns for each batch whether anything was added.
 */
export async function addContents(
  session: WriteSession,
  batches: readonly PreparedBatch[],
): Promise<boolean[]> {
  const carrying = batches.flatMap(({ statements }) =>
    statements.filter(({ contents }) => contents.length > 0),
  );
  if (carrying.length === 0) return batches.map(() => false);
  const positions = await positionsOf(
    session,
    carrying.map(({ id }) => id),
  );
  const carried = await carriedBy(session, [...positions.values()]);
  const lacking = batches.map(({ statements }) =>
    statements.flatMap(({ id, contents }) => {
      const position = positions.get(id);
      if (position === undefined) return [];
      const missing = contents.filter(({ sha2 }) => !carried.has(keyOfUse(position, sha2)));
      for (const { sha2 } of missing) carried.add(keyOfUse(position, sha2));
      return missing.length === 0 ? [] : { position, prepared: { contents: missing } };
    }),
  );
  const contents = new Map(
    batches.flatMap((batch) => batch.contents.map((content) => [content.sha2, content] as const)),
  );
  await insertContents(session, lacking.flat(), contents);
  return lacking.map((uses) => uses.length > 0);
}

async function positionsOf(session: ReadSession, ids: readonly string[]): Promise<Map<string, Position>> {
  const rows = await session.select<{ id: string; position: Position }>(
    'SELECT id, position FROM statement WHERE id IN (:ids)',
    { ids },
  );
  return new Map(rows.map(({ id, position }) => [id, Number(position)]));
}

async function carriedBy(session: ReadSession, positions: readonly Position[]): Promise<Set<string>> {
  if (positions.length === 0) return new Set();
  const rows = await session.select<{ position: Position; sha2: string }>(
    'SELECT position, sha2 FROM statement_attachment WHERE position IN (:positions)',
    { positions },
  );
  return new Set(rows.map(({ position, sha2 }) => keyOfUse(Number(position), sha2)));
}

const keyOfUse = (position: Position, sha2: string): string => `${position} ${sha2}`;
