/**
 * JSON as it is written: numbers keep their digits, strings their escapes and members their order, which the objects of
 * JavaScript would change.
 */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'value'; readonly source: string };

export interface JsonMember {
  readonly key: string;
  /** The key with its quotation marks. */
  readonly source: string;
  /** Where that stands in the text. */
  readonly offset: number;
  readonly value: JsonNode;
}

/** @throws SyntaxError for a text that is not JSON. */
export function jsonNodeOf(text: string): JsonNode {
  JSON.parse(text);
  return new Reader(text).value();
}

/** The member of an object with the key. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.find((each) => each.key === key)?.value : undefined;
}

/** The same JSON over several lines; what fits into `width` characters together with its margin stays on one line. */
export function indented(node: JsonNode, margin = '', width = 0): string {
  if (node.kind === 'value') return node.source;
  const line = width > margin.length ? onOneLine(node) : undefined;
  if (line !== undefined && margin.length + line.length <= width) return line;
  const deeper = `${margin}  `;
  const lines =
    node.kind === 'array'
      ? node.items.map((item) => deeper + indented(item, deeper, width))
      : node.members.map(({ source, value }) => `${deeper}${source}: ${indented(value, deeper, width)}`);
  const [open, close] = node.kind === 'array' ? '[]' : '{}';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${margin}${close}`;
}

function onOneLine(node: JsonNode): string {
  if (node.kind === 'value') return node.source;
  if (node.kind === 'array') return `[${node.items.map(onOneLine).join(', ')}]`;
  const members = node.members.map(({ source, value }) => `${source}: ${onOneLine(value)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The next token but a string: a pattern for strings runs out of stack in long ones. */
const token = /[{}[\],:"]|[^\s{}[\],:"]+/g;

/** Goes through the tokens of a text that is known to be JSON. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonNode {
    const source = this.#next();
    if (source === '{') return { kind: 'object', members: this.#list('}', () => this.#member()) };
    if (source === '[') return { kind: 'array', items: this.#list(']', () => this.value()) };
    return { kind: 'value', source };
  }

  #member(): JsonMember {
    const source = this.#next();
    const offset = this.#at - source.length;
    this.#next();
    return { key: JSON.parse(source), source, offset, value: this.value() };
  }

  #list<T>(close: string, entry: () => T): T[] {
    const entries: T[] = [];
    let start = this.#at;
    for (let next = this.#next(); next !== close; next = this.#next()) {
      if (next !== ',') this.#at = start;
      entries.push(entry());
      start = this.#at;
    }
    return entries;
  }

  #next(): string {
    token.lastIndex = this.#at;
    const [source = ''] = token.exec(this.#text) ?? [];
    const start = token.lastIndex - source.length;
    this.#at = source === '"' ? this.#endOfString(start) : token.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #endOfString(start: number): number {
    let end = start + 1;
    while (this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    return end + 1;
  }
}
