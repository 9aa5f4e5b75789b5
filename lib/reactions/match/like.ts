import { spendSteps } from './effort.ts';

/** Longer values and patterns match nothing, so that a comparison takes milliseconds at most. */
const maxText = 65_536;
const maxPattern = 256;

/** Any one character. */
const anyOne = Symbol('_');
type Token = string | typeof anyOne;

/** The tokens between two `%` of a pattern. For each character, a bit for each place in the part where it may stand. */
interface Part {
  readonly tokens: readonly Token[];
  readonly places: ReadonlyMap<string, Uint32Array>;
  /** Of characters that the part does not name. */
  readonly otherPlaces: Uint32Array;
}

/** For each character of a pattern. */
const stepsToCompile = 400;

/**
 * What a pattern matches: `%` stands for any characters, `_` for one, and a backslash takes the meaning of the next one away.
 * Upper and lower case differ. The time that a test takes is proportional to the length of the text.
 * @returns a test; undefined, also of the test, where text or pattern is too long.
 */
export function likePattern(pattern: string): ((text: string) => boolean | undefined) | undefined {
  if (pattern.length > maxPattern) return undefined;
  spendSteps(pattern.length * stepsToCompile);
  const parts = tokensOf(pattern).map(partOf);
  return (text) => (text.length > maxText ? undefined : matches(parts, charactersOf(text)));
}

let latest: { readonly text: string; readonly characters: readonly string[] } = { text: '', characters: [] };

/** Steps for each character of a text that is taken apart. */
const stepsToSplit = 20;

/** Several patterns are tried with one text. */
function charactersOf(text: string): readonly string[] {
  if (latest.text !== text) {
    spendSteps(text.length * stepsToSplit);
    latest = { text, characters: [...text] };
  }
  return latest.characters;
}

function tokensOf(pattern: string): Token[][] {
  const characters = [...pattern];
  const parts: Token[][] = [[]];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '%') parts.push([]);
    else if (character === '_') parts.at(-1)?.push(anyOne);
    else if (character === '\\' && at + 1 < characters.length) parts.at(-1)?.push(characters[++at] ?? '');
    else parts.at(-1)?.push(character);
  }
  return parts;
}

const bits = 32;
/** Beside one for each word of the state. */
const stepsPerCharacter = 10;

function partOf(tokens: readonly Token[]): Part {
  const otherPlaces = new Uint32Array(Math.ceil(tokens.length / bits));
  const places = new Map<string, Uint32Array>();
  for (const [at, token] of tokens.entries()) if (token === anyOne) setBit(otherPlaces, at);
  for (const [at, token] of tokens.entries()) {
    if (token === anyOne) continue;
    const own = places.get(token) ?? otherPlaces.slice();
    setBit(own, at);
    places.set(token, own);
  }
  return { tokens, places, otherPlaces };
}

function setBit(words: Uint32Array, at: number): void {
  const word = Math.floor(at / bits);
  words[word] = (words[word] ?? 0) | (1 << (at % bits));
}

/** Each part is looked for behind the one before, where it comes first: no later place could do better. */
function matches(parts: readonly Part[], characters: readonly string[]): boolean {
  const [first, ...others] = parts;
  const last = others.pop();
  if (first === undefined || !standsAt(first, characters, 0)) return false;
  let end = first.tokens.length;
  if (last === undefined) return end === characters.length;
  for (const part of others) {
    const found = endOfFirst(part, characters, end);
    if (found === undefined) return false;
    end = found;
  }
  const start = characters.length - last.tokens.length;
  return start >= end && standsAt(last, characters, start);
}

function standsAt({ tokens }: Part, characters: readonly string[], from: number): boolean {
  if (from + tokens.length > characters.length) return false;
  return tokens.every((token, at) => token === anyOne || token === characters[from + at]);
}

/**
 * Where the first occurrence of a part ends. Bit n of the state tells whether the part's first n + 1 tokens stand right before
 * the place at hand (the Shift-And algorithm of Baeza-Yates and Gonnet).
 */
function endOfFirst(part: Part, characters: readonly string[], from: number): number | undefined {
  const { tokens, places, otherPlaces } = part;
  if (tokens.length === 0) return from;
  const state = new Uint32Array(otherPlaces.length);
  spendSteps((characters.length - from) * (stepsPerCharacter + state.length));
  const lastWord = state.length - 1;
  const lastBit = 1 << ((tokens.length - 1) % bits);
  for (let at = from; at < characters.length; at++) {
    const permitted = places.get(characters[at] ?? '') ?? otherPlaces;
    let carry = 1;
    for (let word = 0; word <= lastWord; word++) {
      const before = state[word] ?? 0;
      state[word] = ((before << 1) | carry) & (permitted[word] ?? 0);
      carry = before >>> (bits - 1);
    }
    if (((state[lastWord] ?? 0) & lastBit) !== 0) return at + 1;
  }
  return undefined;
}
