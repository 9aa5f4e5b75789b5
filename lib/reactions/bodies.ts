import Joi from 'joi';
import { InvalidError } from '../errors.ts';
import type { Json, JsonObject } from '../json/types.ts';
import { likelyMeant } from '../nearest.ts';
import { timestamp, uuid, wellFormedText } from '../parameters.ts';
import { checked } from '../schema.ts';
import { adminParameters } from '../single-parameters.ts';
import { isObject } from './ruleset/json.ts';
import type {
  DeletedReaction,
  FiringsPage,
  LinksPage,
  PreviewRequest,
  ReactionChange,
  ReactionDraft,
  ReactionService,
} from './service-types.ts';
import type { Warning } from './types.ts';

/*
 * The bodies and parameters of the reaction routes. The ruleset in them is checked by the service. Members that a route of lrsql
 * does not know are ignored, as there, and the answer warns of them; preview and replay, which lrsql does not have, refuse them.
 */

const longestTitle = 255;

const title = wellFormedText
  .trim()
  .empty('')
  .max(longestTitle)
  .pattern(/^[^\p{Cc}\u2028\u2029]*$/u)
  .messages({
    'string.max': '{#label} must have at most {#limit} characters',
    'string.pattern.base': '{#label} must not contain line breaks or other control characters',
  })
  .description(
    'Unique among the reactions that are not deleted. Spaces around it are removed; a blank one counts as none.',
  );
const ruleset = Joi.object()
  .unknown()
  .messages({ 'object.base': '{#label} must be a JSON object' })
  .description('What fires, and what it generates.');
const active = Joi.boolean().strict().description('Whether statements trigger it.');

const exactBodyOf = <Body>(members: Joi.SchemaMap): Joi.ObjectSchema<Body> =>
  Joi.object<Body>(members).label('The body').required();

const bodyOf = <Body>(members: Joi.SchemaMap): Joi.ObjectSchema<Body> =>
  exactBodyOf<Body>(members).options({ stripUnknown: true });

export const createReactionSchema = bodyOf<ReactionDraft>({
  title,
  ruleset: ruleset.required(),
  active: active.required(),
});

interface IdBody {
  readonly reactionId: string;
}

interface UpdateBody extends IdBody, ReactionChange {
  /** Microseconds since the epoch. */
  readonly expectedModified?: number;
}

export const updateReactionSchema = bodyOf<UpdateBody>({
  reactionId: uuid.required(),
  title,
  ruleset,
  active,
  expectedModified: timestamp.description(
    'Change it only while its `modified` is this; otherwise the answer is 412, and nothing is changed.',
  ),
})
  .or('title', 'ruleset', 'active')
  .messages({ 'object.missing': '{#label} must have title, ruleset or active: there is nothing to change' });

/** What a body asks for, and warnings of its title and of members that the schema does not know. */
export interface ReadBody<Body> {
  readonly value: Body;
  readonly warnings: readonly Warning[];
}

/** @throws InvalidError that has, beside what is wrong, the warnings: likely they are about the cause. */
export function readBody<Body>(schema: Joi.ObjectSchema<Body>, body: unknown): ReadBody<Body> {
  const warnings = [...ignoredIn(schema, body), ...aboutTitle(Object(body).title)];
  try {
    return { value: checked(schema, body), warnings };
  } catch (error) {
    if (!(error instanceof InvalidError) || warnings.length === 0) throw error;
    const named = warnings.slice(0, mostNamed).map(({ path, message }) => `${path} ${message}`);
    throw new InvalidError([error.message, ...named].join('; '), {
      details: [...error.details, ...warnings],
    });
  }
}

/**
 * Reads a body with a ruleset, which only the service checks.
 * @throws InvalidError that has, beside what is wrong with other members, the mistakes of the ruleset.
 */
export function readBesideRuleset<Body>(
  body: unknown,
  read: () => Body,
  reactions: Pick<ReactionService, 'mistakesIn'>,
): Body {
  try {
    return read();
  } catch (error) {
    const { ruleset } = Object(body) as { readonly ruleset?: Json };
    if (!(error instanceof InvalidError) || !isObject(ruleset)) throw error;
    const { details, count } = reactions.mistakesIn(ruleset);
    if (count === 0) throw error;
    const places = count === 1 ? '1 place' : `${count} places`;
    throw new InvalidError(`${error.message}; and the ruleset breaks rules at ${places}`, {
      details: [...error.details, ...details],
    });
  }
}

/** The answer to a body, with the warnings about it first. */
export function warnedOf<Answer extends DeletedReaction>(
  answer: Answer,
  { warnings }: Pick<ReadBody<unknown>, 'warnings'>,
): Answer {
  return warnings.length === 0 ? answer : { ...answer, warnings: [...warnings, ...(answer.warnings ?? [])] };
}

function ignoredIn(schema: Joi.ObjectSchema, body: unknown): Warning[] {
  const known = Object.keys(schema.describe().keys);
  const ignored = Object.keys(Object(body)).filter((name) => !known.includes(name));
  return ignored.slice(0, mostIgnored).map((name) => warningOf(name, known));
}

function aboutTitle(title: unknown): Warning[] {
  if (typeof title !== 'string') return [];
  const trimmed = title.trim();
  if (trimmed === '')
    return [{ path: 'title', message: 'is blank, so it counts as none', rule: 'title-blank' }];
  if (trimmed === title) return [];
  return [{ path: 'title', message: 'has spaces around it, which are removed', rule: 'title-spaces' }];
}

/** Of a body with very many. */
const mostIgnored = 50;
/** In the sentence of an error, whose details have the others. */
const mostNamed = 3;
/** Longer names are cut. */
const longestName = 80;

function warningOf(name: string, known: readonly string[]): Warning {
  const meant = likelyMeant(name, known);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return {
    path: name.slice(0, longestName),
    message: `is unknown and has no effect${hint}`,
    rule: 'unknown-member',
  };
}

export const deleteReactionSchema = bodyOf<IdBody>({ reactionId: uuid.required() });

interface ReplayBody extends IdBody {
  /** Microseconds since the epoch. */
  readonly from: number;
}

export const replaySchema = exactBodyOf<ReplayBody>({
  reactionId: uuid.required(),
  from: timestamp
    .required()
    .description('Statements stored after this time, which must not be in the future, are looked at again.'),
});

interface PreviewBody {
  readonly ruleset: JsonObject;
  readonly statements?: number;
  readonly since?: number;
  readonly until?: number;
}

export const previewSchema = exactBodyOf<PreviewBody>({
  ruleset: ruleset.required(),
  statements: Joi.number()
    .strict()
    .integer()
    .min(1)
    .description(
      'Most statements to examine, the newest ones: 1,000 when left out, and never more than `reactionPreviewStatements`.',
    ),
  since: timestamp.description('Only statements stored after this time.'),
  until: timestamp.description(
    'Only statements stored at or before this time, which must not be before `since`.',
  ),
});

const usualStatements = 1000;

/**
 * The body of a preview.
 * @param mostStatements the setting `reactionPreviewStatements`
 * @throws InvalidError
 */
export function readPreviewBody(body: unknown, mostStatements: number): PreviewRequest {
  const limited = previewSchema.keys({
    statements: Joi.number()
      .strict()
      .integer()
      .min(1)
      .max(mostStatements)
      .default(Math.min(usualStatements, mostStatements))
      .messages({ 'number.max': '{#label} must be at most {#limit} (lrs.reactionPreviewStatements)' }),
  });
  const { ruleset, statements, since, until } = checked(limited, body);
  if (since !== undefined && until !== undefined && since > until) {
    const message = 'must not be after until';
    throw new InvalidError(`since ${message}.`, { details: [{ path: 'since', message }] });
  }
  return { ruleset, statements: statements ?? mostStatements, since, until };
}

interface ListParameters {
  readonly deleted: boolean;
}

/** The query parameters of `GET /admin/reaction`. */
export const listParameters = Joi.object<ListParameters>({
  deleted: Joi.boolean()
    .default(false)
    .description(
      'With `true` those that are deleted and kept, the latest first, with the time of the deletion.',
    ),
});

/** @throws InvalidError for a parameter that is not known, occurs twice or does not fit. */
export function readListParameters(query: URLSearchParams): ListParameters {
  return checked(listParameters, adminParameters(query, ['deleted']));
}

const mostFirings = 1000;
const usualFirings = 20;
const usualLinks = 100;

const firingLimit = Joi.number().integer().min(1).max(mostFirings).description('Most firings on a page.');
const firingCursor = Joi.string()
  .pattern(/^\d{1,16}$/)
  .messages({ 'string.pattern.base': '{#label} must come from the member more of an answer' })
  .description('Where a page of firings continues; it comes from `more`.');

/** The query parameters of `GET /admin/reaction/{id}`. */
export const firingsParameters = Joi.object<FiringsPage>({
  limit: firingLimit.default(usualFirings),
  cursor: firingCursor,
});

/** @throws InvalidError for a parameter that is not known, occurs twice or does not fit. */
export function readFiringsParameters(query: URLSearchParams): FiringsPage {
  return checked(firingsParameters, adminParameters(query, ['limit', 'cursor']));
}

/** The query parameters of `GET /admin/reaction/firings`. */
export const linkParameters = Joi.object<LinksPage>({
  statement: uuid.required().description('The id of a statement.'),
  limit: firingLimit.default(usualLinks),
  cursor: firingCursor,
});

/** @throws InvalidError for a parameter that is not known, occurs twice or does not fit. */
export function readLinkParameters(query: URLSearchParams): LinksPage {
  return checked(linkParameters, adminParameters(query, ['statement', 'limit', 'cursor']));
}

const idInPath = Joi.object<{ readonly id: string }>({ id: uuid.label('The id in the path').required() });

/** The id of a reaction at the end of a path. @throws InvalidError when it is no UUID. */
export function readReactionId(path: string): string {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return checked(idInPath, { id }).id;
}
