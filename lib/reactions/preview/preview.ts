import type { BusyTime } from '../../busy-time.ts';
import { giveWayInBackground, Pauses } from '../../in-turns.ts';
import type { Position, StatementPage, StatementQuery, StatementService } from '../../statements/types.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { Dispatch, headOf } from '../engine/dispatch.ts';
import { ReactionFailure } from '../failure.ts';
import { generate, type Maker } from '../generate/generate.ts';
import { Sources } from '../generate/sources.ts';
import { MatchBudget } from '../match/budget.ts';
import { type CompiledRuleset, compileRuleset } from '../match/compiled.ts';
import { type CandidateSource, type Search, searchFor } from '../match/match.ts';
import { type Match, type Participant, participant } from '../match/participant.ts';
import type { MemoryShare } from '../memory.ts';
import type {
  Preview,
  PreviewEnd,
  PreviewExample,
  PreviewFailure,
  PreviewRequest,
} from '../service-types.ts';
import type { MatchLimits, ParsedRuleset } from '../types.ts';
import { GivenIds } from './given-ids.ts';
import { Explainer, type RankedMiss } from './near-misses.ts';
import { NearestMisses } from './nearest-misses.ts';
import { demandsLater } from './partner.ts';

/** What one preview may cost; each is a setting of the group `lrs`. */
export interface PreviewLimits {
  readonly reactionPreviewMilliseconds: number;
  /** Bytes of statements that are read. */
  readonly reactionPreviewBytes: number;
}

export interface PreviewOptions {
  readonly statements: StatementService;
  readonly source: CandidateSource;
  readonly limits: PreviewLimits & MatchLimits;
  /** Nothing is left taken from it. */
  readonly memory: MemoryShare;
  readonly xapiVersion: XapiVersion;
  /** Those of the statements that reactions have generated, by their ids in lower case. */
  readonly generated: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The time in which clients of this process wait for their statements to be stored. */
  readonly storing: Pick<BusyTime, 'isUnderWay'>;
}

/** Statements that are read at once. */
const pageSize = 100;
const mostExamples = 5;
/** Bytes of all examples together. */
const mostExampleBytes = 262_144;
const mostFailures = 20;
const mostMisses = 20;

/** Evaluates a ruleset over stored statements, newest first, each as if it had just been stored. Writes nothing. */
export async function previewOf(
  ruleset: ParsedRuleset,
  request: Omit<PreviewRequest, 'ruleset'>,
  options: PreviewOptions,
): Promise<Omit<Preview, 'warnings'>> {
  return new PreviewRun(ruleset, options).over(request);
}

class LimitReached extends Error {
  readonly limit: PreviewEnd;

  constructor(limit: PreviewEnd) {
    super(`the preview ends: ${limit}`);
    this.limit = limit;
  }
}

class PreviewRun {
  readonly #compiled: CompiledRuleset;
  readonly #maker: Maker;
  readonly #options: PreviewOptions;
  readonly #explainer: Explainer;
  readonly #dispatch = new Dispatch<ParsedRuleset>();
  readonly #givenIds: GivenIds;
  /** The near misses of the page. */
  readonly #found: RankedMiss[] = [];
  readonly #misses = new NearestMisses(mostMisses);
  readonly #examples: PreviewExample[] = [];
  readonly #failures = new Map<string, PreviewFailure>();
  readonly #pauses: Pauses;
  /** Where the statements of all matches lie, as far as triggers were examined: the newest ones are first. */
  readonly #matched = new Set<Position>();
  readonly #deadline: number;
  #bytes: number;
  #exampleBytes = mostExampleBytes;
  #examined = 0;
  #triggers = 0;
  #firings = 0;

  constructor(ruleset: ParsedRuleset, options: PreviewOptions) {
    const { limits, xapiVersion, storing } = options;
    this.#options = options;
    this.#pauses = new Pauses(() => giveWayInBackground(() => storing.isUnderWay), { inBackground: true });
    this.#compiled = compileRuleset(ruleset);
    this.#givenIds = new GivenIds({
      statements: options.statements,
      pauses: this.#pauses,
      onRead: (bytes) => {
        this.#bytes -= bytes;
      },
    });
    this.#explainer = new Explainer(this.#compiled);
    this.#dispatch.add(ruleset, this.#compiled.conditions);
    this.#maker = {
      id: 'preview',
      version: 1,
      ruleset,
      xapiVersion,
      maxBytes: limits.reactionStatementMaxBytes,
    };
    this.#deadline = performance.now() + limits.reactionPreviewMilliseconds;
    this.#bytes = limits.reactionPreviewBytes;
  }

  async over(request: Omit<PreviewRequest, 'ruleset'>): Promise<Omit<Preview, 'warnings'>> {
    const stoppedBy = await this.#examineAll(request);
    return {
      examined: this.#examined,
      triggers: this.#triggers,
      firings: this.#firings,
      complete: stoppedBy === undefined,
      ...(stoppedBy && { stoppedBy }),
      examples: this.#examples,
      failures: [...this.#failures.values()],
      nearMisses: this.#misses.all,
    };
  }

  /** @returns the limit that ended it before all statements of the range were examined. */
  async #examineAll(request: Omit<PreviewRequest, 'ruleset'>): Promise<PreviewEnd | undefined> {
    const { statements: most } = request;
    let query = firstPage(request);
    for (;;) {
      const left = most - this.#examined;
      if (left <= 0) return 'statements';
      const page = await this.#options.statements.query({ ...query, limit: Math.min(left, pageSize) }, exact);
      const end = await this.#examinePage(page);
      if (end !== undefined || page.next === undefined) return end;
      query = { ...query, from: page.next };
    }
  }

  async #examinePage(page: StatementPage): Promise<PreviewEnd | undefined> {
    const end = await this.#examineStatements(page);
    await this.#keepMisses();
    return end;
  }

  /** Nobody wonders why what reactions have generated triggers nothing. */
  async #keepMisses(): Promise<void> {
    const found = this.#found.splice(0);
    const generated = await this.#options.generated([...new Set(found.map(({ trigger }) => trigger))]);
    for (const miss of found) if (!generated.has(miss.trigger)) this.#misses.add(miss);
  }

  async #examineStatements({ statements }: StatementPage): Promise<PreviewEnd | undefined> {
    for (const { position, text } of statements) {
      const pause = this.#pauses.pause();
      if (pause !== undefined) await pause;
      this.#bytes -= text.length;
      const end = this.#end() ?? (await this.#examine(participant({ position, text })));
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #end(): PreviewEnd | undefined {
    if (this.#bytes <= 0) return 'bytes';
    return performance.now() > this.#deadline ? 'time' : undefined;
  }

  #requireRoom(): void {
    const limit = this.#end();
    if (limit !== undefined) throw new LimitReached(limit);
  }

  /**
   * @returns the limit that ended it, if one did. A trigger whose matches were not all found does not count; of one whose
   *   statements were not all made, those that were do.
   */
  async #examine(trigger: Participant): Promise<PreviewEnd | undefined> {
    let end: PreviewEnd | undefined;
    const { limits, memory } = this.#options;
    const budget = new MatchBudget(limits, {
      memory,
      requireTime: () => this.#requireRoom(),
      spendTime: () => {},
    });
    const sources = new Sources(budget, this.#pauses);
    try {
      const search = this.#searchFor(trigger, budget);
      // Conditions that can't be evaluated fail only on statements that may trigger the reaction, as when these are stored.
      const matches = this.#dispatch.wants(headOf(trigger.value)) ? await search.matches() : [];
      if (matches.length > 0) this.#triggers += 1;
      else if (!this.#matched.has(trigger.position)) await this.#explain(trigger, search);
      for (const match of matches) {
        const pause = this.#pauses.pause();
        if (pause !== undefined) await pause;
        for (const { position } of match.values()) this.#matched.add(position);
        await this.#make(match, trigger, sources);
        end = this.#end();
        if (end !== undefined) break;
      }
    } catch (error) {
      if (error instanceof LimitReached) return error.limit;
      this.#fail(trigger, error);
    } finally {
      memory.give(memory.taken);
    }
    this.#examined += 1;
    return end;
  }

  async #explain(trigger: Participant, search: Search): Promise<void> {
    const nearest = await search.nearest();
    const pause = this.#pauses.pause();
    if (pause !== undefined) await pause;
    try {
      this.#found.push(...this.#explainer.explain(trigger, nearest));
    } catch (error) {
      // The reaction does not fail on a statement because that takes too many steps to explain.
      if (!(error instanceof ReactionFailure)) throw error;
    }
  }

  #searchFor(trigger: Participant, budget: MatchBudget): Search {
    const { source } = this.#options;
    const counting: CandidateSource = {
      read: async (lookup, range) => {
        const page = await source.read(lookup, range);
        for (const { text } of page.statements) this.#bytes -= text.length;
        return page;
      },
    };
    const { conditions } = this.#compiled.ruleset;
    return searchFor(this.#compiled, trigger, {
      source: counting,
      budget,
      pauses: this.#pauses,
      isPossible: (lacking, chosen) => !demandsLater(lacking, chosen, { trigger, conditions }),
    });
  }

  async #make(match: Match, trigger: Participant, from: Sources): Promise<void> {
    try {
      const sources = await from.of(match);
      const pause = this.#pauses.pause();
      if (pause !== undefined) await pause;
      const generated = generate(this.#maker, match, { trigger, sources });
      const { incoming, bytes, authority, id: madeId, idIsGiven } = generated;
      const { statement: made } = incoming;
      if (idIsGiven && !(await this.#givenIds.take({ id: madeId, statement: made }))) return;
      this.#firings += 1;
      if (this.#examples.length >= mostExamples || bytes > this.#exampleBytes) return;
      this.#exampleBytes -= bytes;
      const { id, ...statement } = incoming.source;
      const given = idIsGiven ? { id } : {};
      const matched = Object.fromEntries(Array.from(match, ([name, { id }]) => [name, id]));
      this.#examples.push({ trigger: trigger.id, matched, statement: { ...given, ...statement, authority } });
    } catch (error) {
      this.#fail(trigger, error);
    }
  }

  /** Of equal failures the first trigger is shown, and how many matches they are. */
  #fail(trigger: Participant, error: unknown): void {
    if (!(error instanceof ReactionFailure)) throw error;
    const { type, message, reason } = error.stored;
    const key = `${type} ${message}`;
    const known = this.#failures.get(key);
    if (known === undefined && this.#failures.size >= mostFailures) return;
    const first = known ?? { trigger: trigger.id, type, message, ...(reason && { reason }), matches: 0 };
    this.#failures.set(key, { ...first, matches: first.matches + 1 });
  }
}

function firstPage({ since, until }: Omit<PreviewRequest, 'ruleset'>): StatementQuery {
  return {
    ...{ relatedAgents: false, relatedActivities: false, ascending: false, limit: pageSize },
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

const exact = { format: 'exact', attachments: false, languages: [] } as const;
