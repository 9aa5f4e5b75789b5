import { closeBracket } from './bytes.ts';
import type { Interner } from './interner.ts';
import {
  bufferOf,
  type JsonPiece,
  mayHoldNul,
  type ParsedJson,
  parsePiece,
  refuseUnreadable,
  sourceOf,
  syntaxError,
} from './json.ts';
import { beyondLimit, type StatementLimits } from './limits.ts';
import { ObjectText } from './object-text.ts';
import { parseWithFragments } from './parse-interned.ts';
import { placeOf } from './place.ts';
import { endOfBlanks, JsonScanner, type ScannedItem } from './scanner.ts';
import { syntaxErrorOffset } from './syntax.ts';
import type { Json } from './types.ts';

/** One item of an array, or the one value of the text. */
export interface ParsedItem extends ParsedJson {
  /** Its text, where it is an object. */
  readonly text: ObjectText | undefined;
}

export interface ParsedItems {
  /** Whether the text is an array; otherwise it is the single item itself. */
  readonly isArray: boolean;
  /** To be iterated once. */
  readonly items: Iterable<ParsedItem>;
}

export interface ItemsOptions {
  /** How the client calls the value, in errors; `statement` by default. */
  readonly name?: string;
  /** Shares equal parts of the items; without it nothing is shared. */
  readonly interner?: Interner | undefined;
}

/**
 * A JSON text that is one statement or an array of statements. It is scanned first, in pieces if it is long, so that a text
 * beyond a limit is refused before it is parsed. Each item is parsed when it is iterated, so that its tree need not outlive
 * it.
 */
export class ItemsText {
  readonly #buffer: Buffer;
  readonly #limits: StatementLimits;
  readonly #scanner: JsonScanner;
  readonly #name: string;
  readonly #interner: Interner | undefined;

  constructor(
    bytes: Uint8Array,
    limits: StatementLimits,
    { name = 'statement', interner }: ItemsOptions = {},
  ) {
    this.#name = name;
    this.#interner = interner;
    this.#buffer = bufferOf(bytes);
    this.#limits = limits;
    this.#scanner = new JsonScanner(this.#buffer, limits);
  }

  /** Scans this many further bytes; returns whether the scan is complete. */
  scan(length?: number): boolean {
    return this.#scanner.scan(length);
  }

  /**
   * The items of the scanned text. It refuses the same texts as `parseJson`, though it may report another of two mistakes.
   * @throws InvalidError or TooLargeError, at once or during iteration.
   */
  parsed(): ParsedItems {
    const { isArray, excess } = this.#scanner;
    if (excess !== undefined) {
      const subject = isArray ? `${this.#name}s[${excess.item}]` : this.#name;
      throw beyondLimit(excess.setting, this.#limits, {
        subject,
        place: placeOf(this.#buffer, excess.offset),
      });
    }
    refuseUnreadable(this.#buffer, this.#scanner);
    return { isArray, items: isArray ? this.#each() : this.#only() };
  }

  *#only(): Generator<ParsedItem> {
    const [item] = this.#scanner.items;
    if (item !== undefined) yield parseItem(this.#buffer, item, this.#interner);
  }

  *#each(): Generator<ParsedItem> {
    const buffer = this.#buffer;
    const { items, closedAt } = this.#scanner;
    const isEmpty = items.length === 1 && closedAt !== undefined && isBlank(buffer, items[0]);
    if (!isEmpty) for (const item of items) yield parseItem(buffer, item, this.#interner);
    refuseOtherEnd(buffer, closedAt);
  }
}

/** The array must be closed by the right bracket, followed by whitespace only. */
function refuseOtherEnd(buffer: Buffer, closedAt: number | undefined): void {
  if (closedAt === undefined) throw syntaxError(buffer, buffer.length);
  if (buffer[closedAt] === closeBracket && endOfBlanks(buffer, closedAt + 1) === buffer.length) return;
  const end = `[${buffer.toString('utf8', closedAt)}`;
  throw syntaxError(buffer, closedAt - 1 + Buffer.byteLength(end.slice(0, syntaxErrorOffset(end))));
}

function isBlank(buffer: Buffer, item: ScannedItem | undefined): boolean {
  return item !== undefined && endOfBlanks(buffer, item.start) >= item.end;
}

function parseItem(buffer: Buffer, item: ScannedItem, interner: Interner | undefined): ParsedItem {
  const piece = { buffer, start: item.start, end: item.end, unusualNumbers: item.unusualNumbers };
  const { span } = item;
  if (span === undefined) return { ...parsePiece(piece), text: undefined };
  const interned =
    interner && parseWithFragments({ buffer, span, interner }, (text) => parseOrdinary(text, piece));
  const { value, source } = interned ?? parsePiece(piece);
  return { value, source, text: new ObjectText(buffer, span, interner?.trees) };
}

/** The rest of an item without its cached parts; undefined where it has to be parsed as a whole. */
function parseOrdinary(text: string, piece: JsonPiece): ParsedJson | undefined {
  if (mayHoldNul(text)) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return { value, source: piece.unusualNumbers ? sourceOf(text, piece) : value };
  } catch {
    return undefined;
  }
}
