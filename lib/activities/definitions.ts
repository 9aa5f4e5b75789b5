import { EpochCache, startEpoch } from '../db/cache-epoch.ts';
import { GroupTooLargeError } from '../db/group-commit.ts';
import { type Key, keyOf } from '../db/key.ts';
import type { RowSession } from '../db/types.ts';
import type { ExpiringCache } from '../expiring-cache.ts';
import { giveWayBriefly, mapInTurns, Pauses } from '../in-turns.ts';
import { countValues } from '../json/heap-size.ts';
import { printJson } from '../json/json.ts';
import { mapKey, TextSet } from '../text-map.ts';
import { mergeAllDefinitions, mergeDefinitions } from '../xapi/activity.ts';
import type { DefinitionMention, PlacedMentions } from '../xapi/mentions.ts';
import type { ActivityDefinition } from '../xapi/types.ts';
import { parseDefinition } from './definition-reader.ts';
import { type MergeableDefinitions, writeDefinitions } from './store.ts';

const none: readonly string[] = [];

export interface DefinitionOptions {
  readonly requests: number;
  /** @param activities their keys. */
  readonly read: (activities: readonly Key[]) => Promise<MergeableDefinitions>;
}

/** What became of definitions. */
export interface RecordedDefinitions {
  /** The keys of Activities whose definitions were read, and that had none. */
  readonly undefinedActivities: readonly Key[];
}

/** How many of the texts that change nothing are remembered of one Activity. */
const textsKept = 4;

/**
 * How many characters the JSON text of a definition may have. Each change of one costs reading, merging and writing all of
 * it while other requests wait, so a longer one stands in its statements only.
 */
const longestDefinition = 1_048_576;

/**
 * How many JSON values a definition may have: languages, extensions and what is in them. They cost more than their characters:
 * a long text of short ones takes ten times as long to merge as one of a few long ones, and that can't be interrupted.
 */
const mostValues = 10_000;

/**
 * Writes the definitions of Activities that statements bring, merged with what is there. Definitions repeat, so those that
 * change nothing are cached, and neither read nor written again until one comes, in this process or another, that does
 * change something.
 */
export class DefinitionRecorder {
  /** By Activity, texts that its stored definition already holds. */
  readonly #held = new EpochCache<readonly string[]>({ characters: 8_000_000, milliseconds: 300_000 });

  /** Those in which what is cached counts; undefined while nothing is. */
  get epochs(): readonly number[] | undefined {
    return this.#held.epochs;
  }

  /**
   * To be called in each transaction that records.
   * @param epoch of `definitions`, read under the write lock.
   * @returns whether what was cached until now counted in it.
   */
  adopt(epoch: number | null | undefined): boolean {
    return this.#held.adopt(epoch);
  }

  /**
   * Where the stored definitions of a request's Activities have many megabytes, what it says of some of them stands in its
   * statements only.
   * @param placed oldest first.
   * @param options how many requests they come from, and what reads the definitions that are stored.
   * @throws GroupTooLargeError when that would concern several requests.
   */
  async record(
    session: RowSession,
    placed: readonly PlacedMentions[],
    { requests, read }: DefinitionOptions,
  ): Promise<RecordedDefinitions> {
    const held = this.#held.facts;
    const news = await newsOf(placed, held);
    if (news.size === 0) return { undefinedActivities: [] };
    const { stored, left } = await read(Array.from(news.values(), ({ key }) => key));
    if (left.size > 0 && requests > 1)
      throw new GroupTooLargeError('A group merges definitions that are too long.');
    const mergeable = [...news].filter(([, { key }]) => !left.has(key));
    const results = await mapInTurns(
      mergeable,
      async ([cacheKey, { activity, key, seen }]) => {
        const result = await merge(stored.get(key), seen);
        return { cacheKey, activity, key, ...result };
      },
      giveWayBriefly,
    );
    const changed = results.filter(({ key, text }) => text !== stored.get(key));
    await writeDefinitions(session, changed);
    // The next transaction may look before this one is known to be committed. Each list stands for what was known then.
    for (const { cacheKey } of changed) held.set(cacheKey, []);
    // What is new to the database is in no cache.
    if (changed.some(({ key }) => stored.has(key))) {
      this.#held.expect(startEpoch(session, 'definitions'));
    }
    const before = new Map(results.map(({ cacheKey }) => [cacheKey, held.get(cacheKey) ?? none]));
    session.afterCommit(() => {
      for (const { cacheKey, unchanging } of results) {
        const known = before.get(cacheKey) ?? none;
        // Another transaction has changed it meanwhile.
        if ((held.get(cacheKey) ?? none) !== known) continue;
        const texts = [...new TextSet([...known, ...unchanging])].slice(-textsKept);
        held.set(cacheKey, texts, totalLength(texts));
      }
    });
    return { undefinedActivities: mergeable.flatMap(([, { key }]) => (stored.has(key) ? [] : key)) };
  }
}

/** What statements say of an Activity. */
interface News {
  readonly activity: string;
  readonly key: Key;
  readonly seen: DefinitionMention[];
}

/**
 * By `mapKey` of the Activity, from the first text on that may change something: what comes after it may change it back.
 * Definitions that are too long are left out.
 * @param held by Activity, texts that change nothing.
 */
async function newsOf(
  placed: readonly PlacedMentions[],
  held: ExpiringCache<readonly string[]>,
): Promise<Map<string, News>> {
  const news = new Map<string, News>();
  const pauses = new Pauses(giveWayBriefly);
  for (const { mentions } of placed) {
    for (const mention of mentions.definitions) {
      const { activity, text } = mention;
      const pause = pauses.pause();
      if (pause !== undefined) await pause;
      if (isTooLong(mention)) continue;
      const cacheKey = mapKey(activity);
      const earlier = news.get(cacheKey)?.seen;
      if (earlier !== undefined) {
        if (earlier.at(-1)?.text !== text) earlier.push(mention);
      } else if (!held.get(cacheKey)?.includes(text)) {
        news.set(cacheKey, { activity, key: keyOf(activity), seen: [mention] });
      }
    }
  }
  return news;
}

/**
 * The text of everything together, or of the newest alone where that would be too long; and the last of the texts that
 * change nothing about it.
 */
async function merge(
  stored: string | undefined,
  seen: readonly DefinitionMention[],
): Promise<{ readonly text: string; readonly unchanging: readonly string[] }> {
  const texts = await newestOf(seen);
  const newest = texts.at(-1) ?? '{}';
  const older = stored === undefined ? [] : mergeable(stored);
  const definitions = await mapInTurns(texts, parseDefinition, giveWayBriefly);
  const everything = mergeAllDefinitions([...older, ...definitions]);
  const whole = printJson(everything);
  const replaces = isTooLong({ text: whole, values: countValues(everything) });
  const text = replaces ? newest : whole;
  const merged = replaces ? parseDefinition(newest) : everything;
  const unchanging = await mapInTurns(
    texts.slice(-textsKept),
    // The newest has just been merged: merging it again would change nothing and lengthen the transaction.
    (each) =>
      each === newest || printJson(mergeDefinitions(merged, parseDefinition(each))) === text ? [each] : [],
    giveWayBriefly,
  );
  return { text, unchanging: unchanging.flat() };
}

/**
 * Different texts, the oldest first: the newest that have together no more than one definition may have. Older ones would hardly
 * find room in it, and a request may define an Activity with millions of values.
 */
async function newestOf(seen: readonly DefinitionMention[]): Promise<string[]> {
  const newest = new Map<string, string>();
  const pauses = new Pauses(giveWayBriefly);
  let charactersLeft = longestDefinition;
  let valuesLeft = mostValues;
  for (const { text, values } of seen.toReversed()) {
    const key = mapKey(text);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    if (newest.has(key)) continue;
    charactersLeft -= text.length;
    valuesLeft -= values;
    if (charactersLeft < 0 || valuesLeft < 0) break;
    newest.set(key, text);
  }
  return [...newest.values()].reverse();
}

function isTooLong({ text, values }: Omit<DefinitionMention, 'activity'>): boolean {
  return text.length > longestDefinition || values > mostValues;
}

/** The definition that is stored, unless it is too long: an earlier release may have stored it. */
function mergeable(stored: string): ActivityDefinition[] {
  if (stored.length > longestDefinition) return [];
  const definition = parseDefinition(stored);
  return countValues(definition) > mostValues ? [] : [definition];
}

function totalLength(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
