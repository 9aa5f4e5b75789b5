import { InvalidError } from '../../errors.ts';
import { parseJson, printJson } from '../../json/json.ts';
import type { Json } from '../../json/types.ts';
import type { IncomingStatement } from '../../statements/types.ts';
import { requireFileUrls } from '../../xapi/statement/attachments.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import { validateStatement } from '../../xapi/statement/validate.ts';
import type { Actor, Statement, XapiVersion } from '../../xapi/types.ts';
import { combinationId, type ReactionVersion } from '../combination.ts';
import { ReactionFailure } from '../failure.ts';
import type { Match, Participant } from '../match/participant.ts';
import type { ParsedRuleset } from '../types.ts';
import { fillTemplate, isLongerThan } from './template.ts';

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
  readonly bytes: number;
}

/**
 * Makes the statement of a match. Its `authority` is that of the template, else that of the trigger; its id is that of the
 * template, else derived from what has matched, so that the same match makes the same statement.
 * @throws ReactionFailure when it is too large or no valid statement.
 */
export function generate(maker: Maker, match: Match, trigger: Participant): GeneratedStatement {
  const parsed = new Map(Array.from(match, ([name, each]) => [name, sourceOf(each)] as const));
  const filled = fillTemplate(maker.ruleset.template, parsed);
  if (isLongerThan(filled, maker.maxBytes)) throw tooLarge(maker);
  const derived = derivedId(maker, match);
  const text = Buffer.from(printJson(withId(filled, derived)));
  if (text.length > maker.maxBytes) throw tooLarge(maker);
  const { statement, source } = read(text, maker.xapiVersion);
  const authority = statement.authority ?? authorityOf(trigger);
  const id = (statement.id ?? derived).toLowerCase();
  return { incoming: { statement, source }, authority, id, bytes: text.length };
}

const sources = new WeakMap<Participant, Json>();

/** A statement parsed with its numbers as they were written; one statement may take part in many matches. */
function sourceOf(statement: Participant): Json {
  const known = sources.get(statement);
  if (known !== undefined) return known;
  const source = parseStored(statement.text).source as unknown as Json;
  sources.set(statement, source);
  return source;
}

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
    const statement = validateStatement(value, { version });
    requireFileUrls(statement, 'statement');
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
export function derivedId(maker: ReactionVersion, match: Match): string {
  return combinationId(
    maker,
    Array.from(match, ([name, { id }]) => [name, id] as const),
  );
}
