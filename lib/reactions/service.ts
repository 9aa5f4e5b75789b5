import { type ErrorDetail, InvalidError } from '../errors.ts';
import type { Feed } from '../feed/types.ts';
import { mapInTurns } from '../in-turns.ts';
import { printJson } from '../json/json.ts';
import type { Json, JsonObject } from '../json/types.ts';
import type { XapiVersion } from '../xapi/types.ts';
import { ensureReactionsConsumer, reactionsConsumer, slowReactionConsumer } from './consumer.ts';
import {
  idsOf,
  longTime,
  shownDeleted,
  shownError,
  shownFiring,
  shownMissed,
  shownReaction,
} from './present.ts';
import type { Previewer } from './preview/previewer.ts';
import { noSuchReaction } from './refusals.ts';
import type { Replays } from './replay/replay.ts';
import { parseRuleset } from './ruleset/parse.ts';
import { unlistedRemark } from './ruleset/report.ts';
import type {
  FiringsPage,
  LinkedFiring,
  LinksPage,
  Preview,
  PreviewRequest,
  ReactionChange,
  ReactionDetails,
  ReactionDraft,
  ReactionService,
  RulesetMistakes,
  SavedReaction,
  ShownReaction,
  StartedReplay,
  StatementLinks,
} from './service-types.ts';
import type { Firing } from './store/firing-rows.ts';
import type { StoredReaction } from './store/reaction-rows.ts';
import type { ReactionStore } from './store/store.ts';
import { titleOf } from './title.ts';
import type { OnChanged, ParsedRuleset, RefusedRuleset, RulesetLimits, Warning } from './types.ts';

export interface ReactionServiceOptions {
  readonly store: ReactionStore;
  readonly feed: Feed;
  /** Whose paths rulesets have (`reactionVersion`). */
  readonly version: XapiVersion;
  readonly limits: RulesetLimits;
  readonly replays: Replays;
  readonly previewer: Previewer;
}

export function createReactionService(options: ReactionServiceOptions): ReactionService {
  return new Reactions(options);
}

class Reactions implements ReactionService {
  readonly #store: ReactionStore;
  readonly #feed: Feed;
  readonly #version: XapiVersion;
  readonly #limits: RulesetLimits;
  readonly #replays: Replays;
  readonly #previewer: Previewer;

  constructor({ store, feed, version, limits, replays, previewer }: ReactionServiceOptions) {
    this.#store = store;
    this.#feed = feed;
    this.#version = version;
    this.#limits = limits;
    this.#replays = replays;
    this.#previewer = previewer;
  }

  async create({ title, ruleset, active }: ReactionDraft, onChanged?: OnChanged): Promise<SavedReaction> {
    const { warnings } = this.#checked(ruleset);
    if (active) await ensureReactionsConsumer(this.#feed);
    const draft = { ruleset: JSON.stringify(ruleset), active };
    const reaction =
      title === undefined
        ? await this.#store.create({ ...draft, title: titleOf(ruleset) }, { numbered: true })
        : await this.#store.create({ ...draft, title });
    onChanged?.({ title: reaction.title, purged: [], restored: false });
    return savedAs(reaction, warnings);
  }

  async update(
    id: string,
    { title, ruleset, active }: ReactionChange,
    expectedModified?: number,
    onChanged?: OnChanged,
  ): Promise<SavedReaction> {
    const warnings = ruleset === undefined ? [] : this.#checked(ruleset).warnings;
    if (active === true) await ensureReactionsConsumer(this.#feed);
    const change = {
      ...(title !== undefined && { title }),
      ...(ruleset !== undefined && { ruleset: JSON.stringify(ruleset) }),
      ...(active !== undefined && { active }),
    };
    const reaction = await this.#store.update(id, change, expectedModified, onChanged);
    if (reaction === undefined) throw noSuchReaction(id);
    const missed = active === true ? shownMissed(reaction, await this.#replays.latest(id)) : undefined;
    return { ...savedAs(reaction, warnings), ...(missed && { missed }) };
  }

  async remove(id: string, onChanged?: OnChanged): Promise<void> {
    if (!(await this.#store.remove(id, onChanged))) throw noSuchReaction(id);
  }

  async list(reserve?: (bytes: number) => void): Promise<string[]> {
    const reactions = await this.#store.list(reserve);
    const slow = await this.#store.slow();
    return mapInTurns(reactions, (reaction) =>
      printJson({ ...this.#warned(shownReaction(reaction)), slow: slow.has(reaction.id) }),
    );
  }

  async listDeleted(reserve?: (bytes: number) => void): Promise<string[]> {
    const reactions = await this.#store.listDeleted(reserve);
    return mapInTurns(reactions, (reaction) =>
      printJson({ ...this.#warned(shownDeleted(reaction)), slow: false }),
    );
  }

  #warned<Shown extends ShownReaction>(shown: Shown): Shown {
    const check = parseRuleset(shown.ruleset, this.#version, this.#limits);
    const warnings = 'warnings' in check ? check.warnings : [];
    return warnings.length === 0 ? shown : { ...shown, warnings };
  }

  async find(id: string, page: FiringsPage): Promise<ReactionDetails> {
    const reaction = await this.#found(id);
    const [firings, consumers, replay] = await Promise.all([
      this.#firings(id, page),
      this.#feed.list(),
      this.#replays.latest(id),
    ]);
    const named = (wanted: string) => consumers.find(({ name }) => name === wanted);
    const own = named(slowReactionConsumer(id));
    const { lag, error, nextAttempt } = own ?? named(reactionsConsumer) ?? noConsumer;
    const missed = shownMissed(reaction, replay);
    return {
      ...this.#warned(shownReaction(reaction)),
      lag: reaction.active ? lag : noLag,
      slow: own !== undefined,
      ...(reaction.lastFailure && { lastFailure: shownError(reaction.lastFailure) }),
      ...(reaction.active && error !== null && { delayed: { error, nextAttempt } }),
      ...firings,
      ...(missed && { missed }),
      ...(replay && { replay }),
    };
  }

  async #found(id: string): Promise<StoredReaction> {
    const reaction = await this.#store.find(id);
    if (reaction === undefined) throw noSuchReaction(id);
    return reaction;
  }

  async #firings(id: string, page: FiringsPage): Promise<Pick<ReactionDetails, 'firings' | 'more'>> {
    const { kept, more } = pageOf(await this.#store.firings(id, askedFor(page)), page);
    const stored = await this.#store.stored(kept.flatMap(idsOf));
    return {
      firings: kept.map((firing) => shownFiring(firing, stored)),
      ...more,
    };
  }

  async linksOf({ statement, ...page }: LinksPage): Promise<StatementLinks> {
    const [made, found] = await Promise.all([
      this.#store.firingsOf([statement]),
      this.#store.triggeredBy(statement, askedFor(page)),
    ]);
    const { kept: triggered, more } = pageOf(found, page);
    const firings = [...made, ...triggered];
    const ids = [...new Set(firings.map(({ reactionId }) => reactionId))];
    const [titles, stored] = await Promise.all([
      this.#store.titles(ids),
      this.#store.stored(firings.flatMap(idsOf)),
    ]);
    const [by] = made.filter((firing) => stored.has(firing.statementId));
    const linked = (firing: Firing): LinkedFiring => {
      const { id = firing.reactionId, title = '', deleted = true } = titles.get(firing.reactionId) ?? {};
      return { ...shownFiring(firing, stored), reaction: { id, title, deleted } };
    };
    return {
      triggered: triggered.map(linked),
      ...more,
      triggeredBy: by === undefined ? null : linked(by),
    };
  }

  async preview({ ruleset: given, ...request }: PreviewRequest): Promise<Preview> {
    const { ruleset, warnings } = this.#checked(given);
    return { ...(await this.#previewer.preview(ruleset, request)), warnings };
  }

  mistakesIn(ruleset: JsonObject): RulesetMistakes {
    const check = parseRuleset(ruleset, this.#version, this.#limits);
    return 'ruleset' in check ? { details: [], count: 0 } : mistakesOf(check);
  }

  async replay(id: string, from: number): Promise<StartedReplay> {
    return this.#replays.start(id, from);
  }

  /** @throws InvalidError with a detail per broken rule. */
  #checked(ruleset: JsonObject): { readonly ruleset: ParsedRuleset; readonly warnings: readonly Warning[] } {
    return checkedRuleset(ruleset, this.#version, this.#limits);
  }
}

const noLag = { statements: 0, seconds: 0 };
const noConsumer = { lag: noLag, error: null, nextAttempt: null };

/** The ruleset and its warnings. @throws InvalidError with a detail per broken rule. */
export function checkedRuleset(
  ruleset: Json,
  version: XapiVersion,
  limits: RulesetLimits,
): { readonly ruleset: ParsedRuleset; readonly warnings: readonly Warning[] } {
  const check = parseRuleset(ruleset, version, limits);
  if ('ruleset' in check) return check;
  const { details, count } = mistakesOf(check);
  const [first] = details;
  const others = count > 1 ? ` (and ${count - 1} more)` : '';
  const sentence = `The ruleset breaks a rule: ${first?.path} ${first?.message}${others}`;
  throw new InvalidError(sentence.endsWith('?') ? sentence : `${sentence}.`, { details });
}

function mistakesOf({ problems, unknown, unlisted }: RefusedRuleset): RulesetMistakes {
  const listed: readonly ErrorDetail[] = [...problems, ...unknown];
  const rest = unlisted === 0 ? [] : [unlistedRemark(unlisted, 'mistake')];
  return { details: [...listed, ...rest], count: listed.length + unlisted };
}

/** The rows to read for a page: one more than it shows tells whether there is another one. */
function askedFor({ limit, cursor }: FiringsPage): { readonly before: number; readonly limit: number } {
  return { before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor), limit: limit + 1 };
}

/** What of those rows the page shows, and where the next one continues. */
function pageOf(
  found: readonly Firing[],
  { limit }: FiringsPage,
): { readonly kept: readonly Firing[]; readonly more: { readonly more?: string } } {
  const kept = found.slice(0, limit);
  const last = kept.at(-1);
  return { kept, more: found.length > limit && last ? { more: String(last.position) } : {} };
}

function savedAs({ id, modified }: StoredReaction, warnings: readonly Warning[]): SavedReaction {
  return { reactionId: id, modified: longTime(modified), ...(warnings.length > 0 && { warnings }) };
}
