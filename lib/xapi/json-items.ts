import { isUtf8 } from 'node:buffer';
import { bufferOf, isSuspicious, maxDepth, type ParsedJson, parseSurveyed } from './json.ts';
import { parseWithFragments } from './json-fragments.ts';
import { markNumbers } from './json-numbers.ts';
import {
  closeBracket,
  comma,
  endOfBlanks,
  type JsonSurvey,
  openBrace,
  openBracket,
  surveyJson,
} from './json-survey.ts';
import { type ObjectSpan, ObjectText } from './object-text.ts';
import type { Json } from './types.ts';

/** One object, or whatever stands in its place. */
export interface ParsedItem extends ParsedJson {
  /** How it is written, where it is an object. */
  readonly text: ObjectText | undefined;
}

export interface ParsedItems {
  /** Whether the text is an array; otherwise it is the one item itself. */
  readonly isArray: boolean;
  /** To be gone through once. */
  readonly items: Iterable<ParsedItem>;
}

/**
 * Parses an object, or an array of objects of which each is parsed when its turn comes: the tree of one need not outlive it,
 * and what lives for a moment costs the collector of garbage nothing. Refuses what `parseJson` does, though of two faults
 * maybe the later one.
 * @throws InvalidError, at once or when the turn of an item comes.
 */
export function parseItems(bytes: Uint8Array): ParsedItems {
  const buffer = bufferOf(bytes);
  const spans: ObjectSpan[] = [];
  const survey = surveyJson(buffer, spans);
  if (survey.depth <= maxDepth && isUtf8(buffer) && isListOf(spans, buffer)) {
    return { isArray: true, items: eachInTurn(buffer, survey, spans) };
  }
  if (survey.depth <= maxDepth && isUtf8(buffer) && isObject(spans, buffer)) {
    return { isArray: false, items: eachInTurn(buffer, survey, spans) };
  }
  const { value, source } = parseSurveyed(buffer, survey);
  const textAt = (index: number): ObjectText | undefined =>
    spans[index] && new ObjectText(buffer, spans[index]);
  if (!Array.isArray(value) || !Array.isArray(source)) {
    return { isArray: false, items: [{ value, source, text: textAt(0) }] };
  }
  const items = value.map((item, index) => ({
    value: item,
    source: source[index] ?? item,
    text: textAt(index),
  }));
  return { isArray: true, items };
}

function* eachInTurn(
  buffer: Buffer,
  survey: JsonSurvey,
  spans: readonly ObjectSpan[],
): Generator<ParsedItem> {
  let checked = false;
  const parse = (text: string, { unusualNumbers }: ObjectSpan): ParsedJson => {
    if (!checked && isSuspicious(text)) {
      parseSurveyed(buffer, survey);
      checked = true;
    }
    const value: Json = JSON.parse(text);
    return { value, source: unusualNumbers ? JSON.parse(markNumbers(text)) : value };
  };
  for (const span of spans) {
    const parsed = explained(
      () => parseWithFragments(buffer, span, parse),
      () => parseSurveyed(buffer, survey),
    );
    yield { ...parsed, text: new ObjectText(buffer, span) };
  }
}

/** @param explain is called where the text can't be parsed: only of the whole text it can be said where the fault is. */
function explained<T>(parse: () => T, explain: () => void): T {
  try {
    return parse();
  } catch (error) {
    explain();
    throw error;
  }
}

/** Whether the text is nothing but these objects, with commas between them and brackets around. */
function isListOf(spans: readonly ObjectSpan[], buffer: Buffer): boolean {
  let at = endOfBlanks(buffer, 0);
  for (const [index, { start, end }] of spans.entries()) {
    if (buffer[at] !== (index === 0 ? openBracket : comma)) return false;
    if (endOfBlanks(buffer, at + 1) !== start || buffer[start] !== openBrace) return false;
    at = endOfBlanks(buffer, end);
  }
  return spans.length > 0 && buffer[at] === closeBracket && endOfBlanks(buffer, at + 1) === buffer.length;
}

/** Whether the text is nothing but one object that has been noted. */
function isObject([span]: readonly ObjectSpan[], buffer: Buffer): boolean {
  if (span === undefined || endOfBlanks(buffer, 0) !== span.start || buffer[span.start] !== openBrace)
    return false;
  return span.end > 0 && endOfBlanks(buffer, span.end) === buffer.length;
}
