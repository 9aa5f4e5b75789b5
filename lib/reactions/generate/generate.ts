import { InvalidError } from '../../errors.ts';
import { treeHeap } from '../../json/heap-size.ts';
import { parseJson, printJson } from '../../json/json.ts';
import type { Json } from '../../json/types.ts';
import type { IncomingStatement } from '../../statements/types.ts';
import { validateStatement } from '../../xapi/statement/validate.ts';
import type { Actor, Statement, XapiVersion } from '../../xapi/types.ts';
import { combinationId, type ReactionVersion } from '../combination.ts';
import { ReactionFailure } from '../failure.ts';
import type { Match, MatchedIds, Participant } from '../match/participant.ts';
import { requireLinkedAttachments } from '../ruleset/linked-attachments.ts';
import { templatePlace } from '../ruleset/place.ts';
import { withoutStored } from '../ruleset/set-by-lrs.ts';
import type { ParsedRuleset } from '../types.ts';
import { fillTemplate, isLongerThan, type Matched } from './template.ts';

/** Which reaction makes a statement, and by which rules. */
export interface Maker {
  readonly id: string;
  /** Of the ruleset. */
  readonly version: number;
  readonly ruleset: Pick<ParsedRuleset, 'template'>;
  readonly xapiVersion: XapiVersion;
  /** Of the statement as JSON. */
  readonly maxBytes: number;
}

/** A statement that a match makes, and its authority. */
export interface GeneratedStatement {
  readonly incoming: IncomingStatement;
  readonly authority: Actor;
  /** In lower case. */
  readonly id: string;
  /** Whether the template gives the id, which another statement may have. */
  readonly idIsGiven: boolean;
  readonly bytes: number;
  /** How many bytes of memory it takes until it is stored, as estimated. */
  readonly heap: number;
}

/**
 * Makes the statement of a match. Its `authority` is that of the template, else that of the trigger; its id is that of the
 * template, else derived from what has matched, so that the same match makes the same statement.
 * @param sources the statements of the match as `Sources` parses them.
 * @throws ReactionFailure when it is too large or no valid statement.
 */
export function generate(
  maker: Maker,
  match: Match,
  { trigger, sources }: { readonly trigger: Participant; readonly sources: Matched },
): GeneratedStatement {
  const filled = withoutStored(maker.ruleset.template, (template) => fillTemplate(template, sources));
  if (isLongerThan(filled, maker.maxBytes)) throw tooLarge(maker);
  const derived = derivedId(maker, match);
  const text = Buffer.from(printJson(withId(filled, derived)));
  if (text.length > maker.maxBytes) throw tooLarge(maker);
  const { statement, source } = read(text, maker.xapiVersion);
  const authority = statement.authority ?? authorityOf(trigger);
  const id = (statement.id ?? derived).toLowerCase();
  const idIsGiven = id !== derived;
  const heap = 2 * text.length + treeHeap(source as unknown as Json) + match.size * idHeap;
  return { incoming: { statement, source }, authority, id, idIsGiven, bytes: text.length, heap };
}

/** Bytes of memory for the name of a condition and the id of a statement. */
const idHeap = 200;

function tooLarge({ maxBytes }: Maker): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `The template makes a statement of more than ${maxBytes} bytes (lrs.reactionStatementMaxBytes).`,
  );
}

function withId(filled: Json, id: string): Json {
  if (typeof filled !== 'object' || filled === null || Array.isArray(filled)) return filled;
  return { id, ...filled };
}

/** Reads the text as one that a client sends. */
function read(text: Buffer, version: XapiVersion): Pick<IncomingStatement, 'statement' | 'source'> {
  try {
    const { value, source } = parseJson(text);
    const statement = validateStatement(value, { version, path: templatePlace });
    requireLinkedAttachments(statement);
    return { statement, source: source as unknown as Statement };
  } catch (error) {
    if (error instanceof InvalidError)
      throw new ReactionFailure('ReactionInvalidStatementError', error.message);
    throw error;
  }
}

/** Every stored statement has one. */
function authorityOf({ value }: Participant): Actor {
  return (value as unknown as Required<Statement>).authority;
}

/** The id of what a match makes, unless the template gives one. */
export function derivedId(maker: ReactionVersion, match: MatchedIds): string {
  return combinationId(
    maker,
    Array.from(match, ([name, { id }]) => [name, id] as const),
  );
}
