import { markNumbers } from '../../json/numbers.ts';

/** A number whose value a double may not have: with sixteen digits or more, or an exponent. In a text it may be no number. */
const longNumber = /[[:,]\s*-?(?:[\d.]{16}|[\d.]+[eE])/;

/**
 * Parses JSON for comparisons: numbers of different values stay different. Those of one value (`1.0`, `1`, `10e-1`) become equal.
 * @param text valid JSON.
 */
export function exactTree(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return withValues(JSON.parse(markNumbers(text, () => {})));
}

/** Changes the tree itself, because a copy takes longer than parsing. */
function withValues(tree: unknown): unknown {
  if (typeof tree === 'string') return tree.startsWith('\0') ? numberOf(tree.slice(1)) : tree;
  if (typeof tree !== 'object' || tree === null) return tree;
  const members = tree as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const value = withValues(members[name]);
    if (value !== members[name]) members[name] = value;
  }
  return tree;
}

/** A number where a double has the value, else a text that no statement has. */
function numberOf(digits: string): number | string {
  const double = Number(digits);
  const value = decimalOf(digits);
  return Number.isFinite(double) && decimalOf(String(double)) === value ? double : `\0${value}`;
}

/** Digits of an exponent that is computed with; reading one of millions takes time that grows faster than its length. */
const mostPowerDigits = 20;

/**
 * The same text for each way to write one value: an integer that does not end in zero, and the power of ten. Exponents of more
 * than 20 digits are compared as text without leading zeros, apart from what comes before them: `1.0e100000000000000000001` is the
 * same as `1e100000000000000000001`, but `10e100000000000000000000` counts as another value.
 */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', powerSign = '', zerosAndPower = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  const shift = digits.length - end - fraction.length;
  return `${sign}${digits.slice(start, end)}e${powerOf(powerSign, zerosAndPower.replace(/^0+/, ''), shift)}`;
}

/** The exponent plus the shift; a long one with the shift behind it. */
function powerOf(sign: string, digits: string, shift: number): string {
  const power = `${sign === '-' ? '-' : ''}${digits === '' ? '0' : digits}`;
  if (digits.length > mostPowerDigits) return `${power} ${shift}`;
  return String(BigInt(power) + BigInt(shift));
}
