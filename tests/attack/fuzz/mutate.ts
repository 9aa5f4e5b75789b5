import type { Random } from '../random.ts';

/** Pieces that parsers stumble over. */
const nasty: readonly string[] = [
  '',
  '\0',
  '\u0001',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ';',
  '=',
  '&',
  '%',
  '%00',
  '%zz',
  '%F0%9F%98%80',
  '%C3%28',
  '--',
  '/*',
  "'",
  "' OR 1=1 --",
  '../',
  '..\\',
  '<%=7*7%>',
  '{{constructor}}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '-1',
  '0',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '1.7976931348623157e309',
  '\u00ff\u00fe',
  '\u202e',
  '\ufeff',
  '\u{1f600}',
  'é',
  'ß',
  'İ',
  '\u2028',
  ' ',
  '\t',
  'mailto:',
  'http://',
  'urn:x',
  'PT',
  'P1Y',
  '2020-02-30T25:61:61Z',
  '0000-00-00',
  'en-US',
  'x-',
  '*',
  'W/"',
  'chunked',
  'gzip',
  '1.0.3',
  '2.0.0',
  'application/json',
  'multipart/mixed; boundary=',
  'A'.repeat(300),
  '%41'.repeat(200),
  '['.repeat(100),
  '{"a":'.repeat(100),
];

export function nastyText(random: Random): string {
  return random.pick(nasty);
}

/** A text with one to four changes: pieces lost, repeated, moved, replaced, or nasty ones put in. */
export function mutateText(random: Random, text: string): string {
  return mutate(random, Buffer.from(text)).toString('utf8');
}

/** The same for bytes, also by single bits. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  let changed = bytes;
  for (let left = 1 + random.int(4); left > 0; left -= 1) changed = changeOnce(random, changed);
  return changed;
}

function changeOnce(random: Random, bytes: Buffer): Buffer {
  const from = random.int(bytes.length + 1);
  const to = Math.min(bytes.length, from + random.int(random.chance(0.8) ? 8 : 200));
  const [before, piece, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  switch (random.int(7)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, piece, piece, after]);
    case 2:
      return Buffer.concat([before, random.bytes(1 + random.int(6)), after]);
    case 3:
      return flipBit(random, bytes);
    case 4:
      return Buffer.concat([before, ...Array.from({ length: 1 + random.int(20) }, () => piece), after]);
    case 5:
      return Buffer.concat([after, before, piece]);
    default:
      return Buffer.concat([before, Buffer.from(nastyText(random)), after]);
  }
}

function flipBit(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = random.int(changed.length);
  if (changed.length > 0) changed[at] = (changed[at] ?? 0) ^ (1 << random.int(8));
  return changed;
}

/** Any JSON text, of a few levels. */
export function anyJson(random: Random, depth = 3): string {
  const simple = ['null', 'true', 'false', '0', '-1', '1.5', '1e400', '""', '[]', '{}', '"a"', '" "'];
  const choice = random.int(depth > 0 ? 10 : 6);
  if (choice < 4) return random.pick(simple);
  if (choice < 6) return JSON.stringify(nastyText(random));
  const items = Array.from({ length: random.int(4) }, () => anyJson(random, depth - 1));
  if (choice < 8) return `[${items.join(',')}]`;
  return `{${items.map((item) => `${JSON.stringify(nastyText(random))}:${item}`).join(',')}}`;
}
