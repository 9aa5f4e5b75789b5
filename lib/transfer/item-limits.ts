import { InvalidError } from '../errors.ts';
import { comma, openBrace, openBracket, quote } from '../json/bytes.ts';
import { type ParsedJson, parseJson } from '../json/json.ts';
import { closingQuote, hasLongName, maxNameBytes } from '../json/scanner.ts';

/**
 * JSON values (lists, objects and what is in them) of a text that an import parses as a whole: the tree of a few bytes of text
 * can take twenty times as many in memory. A server accepts 50,000 of a statement by default (`lrs.stmtMaxValues`).
 */
const mostValues = 1_000_000;
/** Bytes of a statement; a server accepts 4 MiB by default (`lrs.stmtMaxBytes`). */
export const longestStatement = 64 * 1024 * 1024;

/** Bytes of a document, and of the contents of the attachments of a statement, which are in memory together. */
export const longestContents = 256 * 1024 * 1024;

/** Why an import does not read the contents of the attachments of a statement. */
export const excessOfContents = (bytes: number): string =>
  `the contents of its attachments have ${bytes} bytes, and an import reads ${longestContents} at once`;

/** Why an import does not parse a statement, without parsing it; undefined when it does. */
export function excessOfStatement(json: Buffer): string | undefined {
  if (json.length > longestStatement) {
    return `it has ${json.length} bytes, and a statement of an import may have ${longestStatement}`;
  }
  return excessOf(json);
}

/** @throws InvalidError as `parseJson` does, and before it parses for more values than an import keeps in memory and for names that are too long. */
export function parseLimited(json: Buffer): ParsedJson {
  const excess = excessOf(json);
  if (excess !== undefined) throw new InvalidError(excess);
  return parseJson(json);
}

function excessOf(json: Buffer): string | undefined {
  if (hasLongName(json)) return `it has a property name of more than ${maxNameBytes} bytes`;
  if (!hasMoreValues(json)) return undefined;
  return `it has more than ${mostValues} JSON values (lists, objects and what is in them), which an import does not read at once`;
}

/** Each value but the first follows one of three bytes, so most texts are too short to have so many. */
function hasMoreValues(json: Buffer): boolean {
  if (json.length <= mostValues) return false;
  let values = 0;
  for (let at = 0; at < json.length && values <= mostValues; at += 1) {
    const byte = json[at];
    if (byte === quote) at = closingQuote(json, at);
    else if (byte === comma || byte === openBrace || byte === openBracket) values += 1;
  }
  return values > mostValues;
}
