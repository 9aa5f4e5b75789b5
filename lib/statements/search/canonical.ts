import {
  parseDefinition,
  readDefinitions,
  readDefinitionTexts,
  type StoredDefinition,
} from '../../activities/definition-reader.ts';
import { type Database, smallContentBytes } from '../../db/types.ts';
import { mapInTurns, Pauses } from '../../in-turns.ts';
import { printJson } from '../../json/json.ts';
import { TextMap, TextSet } from '../../text-map.ts';
import { LanguagePicker } from '../../xapi/language.ts';
import { activitiesIn, definitionInOneLanguage, toCanonical } from '../../xapi/statement/format.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { ActivityDefinition, Statement } from '../../xapi/types.ts';
import type { Position, Presentation, StoredStatement } from '../types.ts';

/** The most characters of statements whose trees are in memory together, and whose Activities are loaded together. */
const sliceLength = 256 * 1024;

export interface CanonicalOptions {
  readonly db: Database;
  readonly presentation: Presentation;
  /** The most characters of a page, and of the definitions that are inserted into one statement. */
  readonly mostCharacters: number;
  /** Runs work that needs much memory, one piece at a time. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Parsed {
  readonly position: Position;
  readonly source: Statement;
  readonly activities: TextSet;
}

/** A definition in the requested languages. */
interface Definition {
  readonly tree: ActivityDefinition;
  readonly length: number;
}

/**
 * Statements in the format `canonical`: each Activity has the definition that the LRS has merged from all statements,
 * whatever the statement itself contains, with one language in each map (xAPI 1.0.3 Communication 2.1.3). If the
 * definitions are too long for a statement, its last Activities keep its own definitions.
 * @returns the statements that fit on the page; at least one.
 */
export async function canonicalTexts(
  statements: readonly StoredStatement[],
  options: CanonicalOptions,
): Promise<StoredStatement[]> {
  const languages = new LanguagePicker(options.presentation.languages);
  const page = new CanonicalPage({ ...options, languages });
  for (const slice of slicesOf(statements)) {
    await page.add(slice);
    if (page.isFull) break;
  }
  return page.texts;
}

interface PageOptions extends CanonicalOptions {
  readonly languages: LanguagePicker;
}

function* slicesOf(statements: readonly StoredStatement[]): Generator<StoredStatement[]> {
  let slice: StoredStatement[] = [];
  let length = 0;
  for (const statement of statements) {
    if (length + statement.text.length > sliceLength && slice.length > 0) {
      yield slice;
      slice = [];
      length = 0;
    }
    slice.push(statement);
    length += statement.text.length;
  }
  if (slice.length > 0) yield slice;
}

class CanonicalPage {
  readonly texts: StoredStatement[] = [];
  isFull = false;
  readonly #options: PageOptions;
  #length = 0;
  #reserved = 0;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  async add(statements: readonly StoredStatement[]): Promise<void> {
    const { db, alone } = this.#options;
    const parsed = await mapInTurns(statements, ({ position, text }): Parsed => {
      const { source } = parseStored(text);
      return { position, source, activities: activitiesIn(source) };
    });
    const ids = new TextSet(parsed.flatMap(({ activities }) => [...activities]));
    const stored =
      ids.size === 0
        ? new TextMap<StoredDefinition>()
        : await db.read((session) => readDefinitions(session, ids));
    const definitions = new Definitions(stored, this.#options);
    if (definitions.longBytes === 0) await this.#format(parsed, definitions);
    else await alone(() => this.#format(parsed, definitions));
  }

  async #format(parsed: readonly Parsed[], definitions: Definitions): Promise<void> {
    const pauses = new Pauses();
    for (const { position, source, activities } of parsed) {
      await definitions.loadFor(activities);
      const text = this.#textOf(source, definitions);
      this.#length += text.length;
      this.isFull = this.#length > this.#options.mostCharacters;
      if (this.isFull && this.texts.length > 0) return;
      this.#reserve();
      this.texts.push({ position, text });
      if (this.isFull) return;
      await pauses.pause();
    }
  }

  #textOf(source: Statement, definitions: Definitions): string {
    let left = this.#options.mostCharacters;
    const definitionOf = (id: string): ActivityDefinition | undefined => {
      const definition = definitions.get(id);
      if (definition === undefined || definition.length > left) return undefined;
      left -= definition.length;
      return definition.tree;
    };
    return printJson(toCanonical(source, this.#options.languages, definitionOf));
  }

  /** Reserves the memory of a page that has grown large. */
  #reserve(): void {
    if (this.#length <= Math.max(this.#reserved, smallContentBytes)) return;
    this.#reserved = 2 * this.#length;
    this.#options.presentation.reserve?.(this.#reserved);
  }
}

/** The merged definitions of the Activities of some statements. */
class Definitions {
  /** The length in bytes of definitions that are not loaded. */
  readonly longBytes: number;
  readonly #stored: TextMap<StoredDefinition>;
  readonly #options: PageOptions;
  /** By id, in the requested languages. */
  readonly #ready = new TextMap<Definition>();
  /** Ids of long definitions that are loaded. */
  #long = new TextSet();

  constructor(stored: TextMap<StoredDefinition>, options: PageOptions) {
    this.#stored = stored;
    this.#options = options;
    this.longBytes = this.#bytesOf(stored.keys());
  }

  /** Undefined where there is none, or where a long one was not loaded. */
  get(id: string): Definition | undefined {
    const ready = this.#ready.get(id);
    const text = this.#stored.get(id)?.text;
    return ready ?? (text === undefined ? undefined : this.#prepare(id, text));
  }

  /**
   * Loads the long definitions of a statement: together with those of all statements if they fit into memory, otherwise
   * only these, in the order in which the Activities occur, up to the limit of a statement.
   */
  async loadFor(activities: TextSet): Promise<void> {
    const { mostCharacters, db } = this.#options;
    const all = this.longBytes <= mostCharacters;
    if (this.longBytes === 0 || (all && this.#long.size > 0)) return;
    const wanted = all ? this.#longOnes(this.#stored.keys()) : this.#fitting(activities);
    for (const id of this.#long) if (!wanted.has(id)) this.#ready.delete(id);
    this.#long = wanted;
    const missing = [...wanted].filter((id) => !this.#ready.has(id));
    if (missing.length === 0) return;
    const large = this.#bytesOf(missing) > smallContentBytes;
    const texts = await db.read((session) => readDefinitionTexts(session, missing), { large });
    await mapInTurns(texts, ([id, text]) => this.#prepare(id, text));
  }

  #fitting(activities: TextSet): TextSet {
    let left = this.#options.mostCharacters;
    const fitting = new TextSet();
    for (const id of this.#longOnes(activities)) {
      left -= this.#stored.get(id)?.bytes ?? 0;
      if (left < 0) break;
      fitting.add(id);
    }
    return fitting;
  }

  #longOnes(ids: Iterable<string>): TextSet {
    return new TextSet(
      [...ids].filter((id) => this.#stored.has(id) && this.#stored.get(id)?.text === undefined),
    );
  }

  #bytesOf(ids: Iterable<string>): number {
    let bytes = 0;
    for (const id of this.#longOnes(ids)) bytes += this.#stored.get(id)?.bytes ?? 0;
    return bytes;
  }

  #prepare(id: string, text: string): Definition {
    const tree = definitionInOneLanguage(parseDefinition(text), this.#options.languages);
    const definition = { tree, length: printJson(tree).length };
    this.#ready.set(id, definition);
    return definition;
  }
}
