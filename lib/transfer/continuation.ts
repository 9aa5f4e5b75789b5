import { ConflictError } from '../errors.ts';
import type { Progress } from './journal.ts';
import type { Source, Target } from './records.ts';

/** What the progress in a folder has to belong to. */
export interface ThisImport {
  readonly source: Pick<Source, 'name'>;
  readonly target: Pick<Target, 'name' | 'id' | 'trusted' | 'findStatements'>;
  readonly folder: string;
}

/**
 * Progress counts for the same source, target and mode only: what another target has been given would be missing in this one.
 * @throws ConflictError that names what differs.
 */
export async function requireSameImport(before: Progress | undefined, current: ThisImport): Promise<void> {
  if (before === undefined) return;
  const difference = namedDifference(before, current) ?? (await lostStatement(before, current));
  if (difference === undefined) return;
  throw new ConflictError(
    `The folder ${current.folder} holds the progress of an import ${difference}. Give another folder with --folder, or delete this one to begin anew: statements that are there already are not stored twice.`,
  );
}

function namedDifference(before: Progress, { source, target }: ThisImport): string | undefined {
  if (before.source !== source.name) return `from ${before.source}, not from ${source.name}`;
  if (before.target !== target.name) return `into ${before.target}, not into ${target.name}`;
  if (before.store !== target.id) {
    return `into another store than the present ${target.name}, which was created anew or is on another server`;
  }
  if (before.trusted !== target.trusted) {
    return before.trusted ? 'with --trusted, not one without' : 'without --trusted, not one with it';
  }
  return undefined;
}

/** A database that was restored from an older backup, or an LRS that was emptied, lacks what was stored last. */
async function lostStatement({ last }: Progress, { target }: ThisImport): Promise<string | undefined> {
  if (last === undefined || (await target.findStatements([last])).size > 0) return undefined;
  return `whose last statement, ${last}, is not in ${target.name} any more`;
}

/**
 * Statements that keep their `stored` are placed before what is stored already, and readers that continue by time would never
 * see them (docs/decisions/0074). So the store has to be empty when the first ones are placed, and what continues needs a store
 * to which nobody else has written since.
 * @throws ConflictError otherwise.
 */
export async function requireNothingBehind(
  target: Pick<Target, 'positions'>,
  before: Progress | undefined,
): Promise<void> {
  const { statement, newest } = await target.positions();
  if (before?.hasPlaced !== true) {
    if (statement > 0) throw new ConflictError(`The store has statements already. ${advice}`);
  } else if (before.newest !== undefined && newest > before.newest) {
    throw new ConflictError(`The store was written to since this import ran last. ${advice}`);
  }
}

const advice =
  'Statements that keep their stored time are placed before or between those, and a program that reads with since, or from a Consistent-Through on, never sees a statement that is placed before the time that it has reached. Give --merge if no program reads so, or all of them start anew; or import without --trusted, into a folder of its own, so that statements are stored as new ones.';
