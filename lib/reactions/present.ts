import { storedText } from '../position.ts';
import { uncovered } from './missed.ts';
import type {
  DeletedInList,
  Missed,
  ShownError,
  ShownFiring,
  ShownReaction,
  ShownReplay,
} from './service-types.ts';
import type { Firing } from './store/firing-rows.ts';
import type { StoredError, StoredReaction } from './store/reaction-rows.ts';
import type { ReactionErrorReason, ReactionErrorType } from './types.ts';

/* How reactions look in answers. */

/** What helps when a reaction has been stopped. */
const remedies: Readonly<Record<ReactionErrorType | ReactionErrorReason, string>> = {
  ReactionQueryError:
    'Try the ruleset in a preview and correct the comparison that the message names; then activate the reaction again.',
  'unknown-condition':
    'Correct `ref.condition` at the place that the message names, so that it names a condition of the ruleset; then activate the reaction again.',
  server:
    'The log of the server says what has failed. When that is mended, activate the reaction again; a replay from `missed.from` looks at what it has missed.',
  ReactionTemplateError:
    'A matched statement lacks a value that the template takes from it. Add a comparison that only statements with that value fulfil, or take the value out of the template; then activate the reaction again.',
  'template-path':
    'Correct the `$templatePath` that the message names: it is an array of the name of a condition of the ruleset and a path. Then activate the reaction again.',
  'id-taken': 'Take the `id` out of the template, so that each generated statement has one of its own.',
  ReactionInvalidStatementError:
    'The template made something that is no valid statement. Correct the place that the message names, and try it in a preview; then activate the reaction again.',
  ReactionLimitError:
    'One statement leads to more generated statements than the limits permit. Narrow the conditions, so that fewer statements match, or make a template smaller that makes too large a statement, or have the setting raised that the message names; then activate the reaction again.',
  candidates:
    'To find what matches one statement, too many others must be read. Narrow the condition further, for instance by `object.id`, an actor or a registration, compared by `eq` or among the identity paths, or have the setting raised that the message names; then activate the reaction again.',
  chain:
    "Reactions answer each other's statements too often. Compare `verb.id` by `eq`, so that no statement matches that other reactions make, or have the setting raised that the message names; then activate the reaction again.",
  evaluation:
    'To evaluate the conditions is too much work. Use fewer comparisons by `like` and `contains`, and shorter patterns, or compare `verb.id`, `object.id`, an actor or a registration by `eq` as well, so that fewer statements are compared; then activate the reaction again.',
};

export function shownReaction(reaction: StoredReaction): ShownReaction {
  const { id, title, active, created, modified, error, ruleset, version, fired, failed } = reaction;
  return {
    ...{ id, title, active },
    created: longTime(created),
    modified: longTime(modified),
    error: error && shownError(error),
    ruleset: JSON.parse(ruleset),
    ...{ version, fired, failed },
    lastFired: reaction.lastFired === null ? null : storedText(reaction.lastFired),
  };
}

/** A deleted reaction, with the time of its deletion. */
export function shownDeleted(reaction: StoredReaction): Omit<DeletedInList, 'slow'> {
  return { ...shownReaction(reaction), deleted: longTime(reaction.deletedAt ?? reaction.modified) };
}

export function shownError({ type, message, reason, triggerId, time }: StoredError): ShownError {
  return {
    ...{ type, message, ...(reason && { reason }) },
    remedy: remedies[reason ?? type],
    ...{ triggerId, time: storedText(time) },
  };
}

/** The ids of all statements that a firing is about, those that were erased since left out where that is known. */
export function idsOf({ statementId, triggerId, matched }: Firing): string[] {
  return [statementId, triggerId, ...Object.values(matched)].flatMap((id) => id ?? []);
}

/** @param stored the ids that are shown: those of stored statements. */
export function shownFiring(
  { version, statementId, triggerId, matched, position }: Firing,
  stored: ReadonlySet<string>,
): ShownFiring {
  const shown = (id: string | null): string | null => (id !== null && stored.has(id) ? id : null);
  return {
    version,
    statementId: shown(statementId),
    triggerId: shown(triggerId),
    matched: Object.fromEntries(Object.entries(matched).map(([name, id]) => [name, shown(id)])),
    stored: storedText(position),
  };
}

/** What a reaction has missed, and a replay that goes on is not about to look at; undefined when that is nothing. */
export function shownMissed(
  { missed }: StoredReaction,
  replay: Pick<ShownReplay, 'from' | 'through' | 'state'> | undefined,
): Missed | undefined {
  if (missed === null) return undefined;
  const range = { from: storedText(missed.from), through: storedText(missed.through) };
  const goesOn = replay !== undefined && replay.state !== 'done' && replay.state !== 'stopped';
  return goesOn ? (uncovered(range, replay) ?? undefined) : range;
}

/** Microseconds since the epoch as ISO 8601 with nine fraction digits, as lrsql has it. */
export function longTime(microseconds: number): string {
  return storedText(microseconds).replace('Z', '000Z');
}
