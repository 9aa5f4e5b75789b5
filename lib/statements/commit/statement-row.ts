import type { InsertRow, StampedRow } from '../../db/types.ts';
import type { PreparedStatement } from '../ingest/prepare.ts';
import type { Position } from '../types.ts';
import type { Arrival } from './references.ts';

/** The row of a statement whose position is known. */
export function statementRow(prepared: PreparedStatement, position: Position, voided: boolean): InsertRow {
  const { text, timestamp } = prepared.text.stamp(position);
  return [...columnsOf(prepared, position, voided), timestamp, text];
}

/** The row of a statement in a batch; its position counts from that of the batch. */
export function stampedRow({ prepared, position }: Arrival): StampedRow {
  return { values: columnsOf(prepared, position, false), ...prepared.text.pieces() };
}

function columnsOf({ id, values }: PreparedStatement, position: Position, voided: boolean): InsertRow {
  const { verb, actor, object, registration } = values;
  return [position, id, voided ? 1 : 0, verb, actor, object, registration];
}
