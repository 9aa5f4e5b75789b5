import { NotFoundError } from '../errors.ts';
import type { StatementSelection } from '../statements/parameters.ts';
import type { Position, StatementQuery, StatementService } from '../statements/types.ts';
import type { StatusService } from '../status/types.ts';

/** What an export of statements is going to be. */
export interface ExpectedSize {
  /** Statements. */
  readonly rows: number;
  /** Of these statements as lines of JSON, without compression. */
  readonly bytes: number;
  /** Whether there are more, which were not counted. */
  readonly more: boolean;
}

/** Statements that are counted one by one, and the steps in which that is done. */
const mostCounted = 5000;
const step = 1000;
const mostSteps = 10;

/**
 * How many statements an export is going to have, and how large it is. Statements of a filter are counted as far as 5,000; those
 * of the whole store are known, and their size is taken from the newest ones.
 */
export async function expectedSize(
  statements: StatementService,
  status: StatusService,
  selection: StatementSelection,
): Promise<ExpectedSize> {
  if ('id' in selection) return sizeOfOne(statements, selection);
  const { filter } = selection;
  const counted = await counting(statements, filter);
  if (!counted.more || isFiltered(filter)) return counted;
  const all = await status.status({ members: ['statement-count', 'voided-count'], unit: 'day' });
  const rows = Math.min((all['statement-count'] ?? 0) - (all['voided-count'] ?? 0), filter.limit);
  return { rows, bytes: Math.round((counted.bytes / counted.rows) * rows), more: false };
}

async function sizeOfOne(
  statements: StatementService,
  by: { readonly id: string; readonly voided: boolean },
): Promise<ExpectedSize> {
  const found = { format: 'exact', attachments: false, languages: [] } as const;
  const page = await statements.get(by, found).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  const [text] = (page?.statements ?? []).map((statement) => statement.text);
  return text === undefined
    ? { rows: 0, bytes: 0, more: false }
    : { rows: 1, bytes: lineBytes(1, Buffer.byteLength(text)), more: false };
}

async function counting(statements: StatementService, filter: StatementQuery): Promise<ExpectedSize> {
  const most = Math.min(filter.limit, mostCounted);
  let [rows, bytes] = [0, 0];
  let from: Position | undefined;
  for (let done = 0; done < mostSteps && rows < most; done += 1) {
    const limit = Math.min(step, most - rows);
    const page = await statements.measure({ ...filter, limit, ...(from !== undefined && { from }) });
    rows += page.rows;
    bytes += page.bytes;
    from = page.next;
    if (from === undefined) break;
  }
  return { rows, bytes: lineBytes(rows, bytes), more: from !== undefined && rows < filter.limit };
}

/** Each line has an end. */
const lineBytes = (rows: number, bytes: number): number => rows + bytes;

/** Whether anything but its number limits the statements. */
function isFiltered({ limit: _, ascending: __, ...filter }: StatementQuery): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== false);
}
