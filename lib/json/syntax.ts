/** The offset after the string that begins at `start`; of an unterminated string, the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** What may come at a position of a JSON text. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/**
 * Where a text stops being JSON (RFC 8259): the offset of the first unexpected character, or the text's length when it ends
 * too early. The messages of `JSON.parse` differ between versions of the engine.
 */
export function syntaxErrorOffset(text: string): number {
  const closers: string[] = [];
  let expected: Expected = 'value';
  for (let at = endOfBlanks(text, 0); at < text.length; ) {
    const end = endOfToken(text, at);
    if (end.broken) return end.offset;
    const next = follow(expected, text.charAt(at), closers);
    if (next === undefined) return at;
    expected = next;
    at = endOfBlanks(text, end.offset);
  }
  return text.length;
}

/** What may follow a token that begins with `first`; undefined when the token itself is unexpected. */
function follow(expected: Expected, first: string, closers: string[]): Expected | undefined {
  if (first === '}') return followCloser('key or }', expected, closers.pop() === '}');
  if (first === ']') return followCloser('value or ]', expected, closers.pop() === ']');
  switch (expected) {
    case 'value':
    case 'value or ]':
      return followValue(first, closers);
    case 'key':
    case 'key or }':
      return first === '"' ? ':' : undefined;
    case ':':
      return first === ':' ? 'value' : undefined;
    case ', or end':
      if (first !== ',' || closers.length === 0) return undefined;
      return closers.at(-1) === '}' ? 'key' : 'value';
  }
}

function followCloser(whenEmpty: Expected, expected: Expected, matches: boolean): Expected | undefined {
  return matches && (expected === whenEmpty || expected === ', or end') ? ', or end' : undefined;
}

function followValue(first: string, closers: string[]): Expected | undefined {
  switch (first) {
    case ':':
    case ',':
      return undefined;
    case '{':
      closers.push('}');
      return 'key or }';
    case '[':
      closers.push(']');
      return 'value or ]';
    default:
      return ', or end';
  }
}

const blanks = /[ \t\n\r]*/y;
const token = /[{}[\]:,]|(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
/** Many at once, because each call has a cost; not all, because the engine's stack is limited. */
const pieces = /(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,256}/y;

function endOfBlanks(text: string, start: number): number {
  blanks.lastIndex = start;
  blanks.test(text);
  return blanks.lastIndex;
}

/** The end of the token at `start`, or the offset of the character that makes it invalid. */
function endOfToken(text: string, start: number): { offset: number; broken: boolean } {
  if (text[start] === '"') return endOfStringToken(text, start);
  token.lastIndex = start;
  return token.test(text) ? { offset: token.lastIndex, broken: false } : { offset: start, broken: true };
}

function endOfStringToken(text: string, start: number): { offset: number; broken: boolean } {
  const end = endOfString(text, start);
  let offset = start + 1;
  pieces.lastIndex = offset;
  while (pieces.test(text)) offset = pieces.lastIndex;
  return offset === end - 1 && text[offset] === '"'
    ? { offset: end, broken: false }
    : { offset, broken: true };
}
