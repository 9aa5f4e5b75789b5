import type { Json } from '../../json/types.ts';
import { spendSteps } from './effort.ts';
import { type Comparable, isSame, readAs, stepsForSame, type Type } from './read-as.ts';

/** Whether a member of an array equals what is sought. */
type IsSought = (member: Json) => boolean;

/** Beside those that it takes to read it. */
const stepsPerMember = 5;
/** Steps are counted before so many members are looked at. */
const membersAtOnce = 256;

/**
 * Whether one of the values equals the sought one, as by `eq`. That is read once: a list may be long, and many comparisons may
 * be about it.
 */
export function containsSought(values: readonly Json[], sought: Json, type: Type): boolean {
  const isSought = equalTo(sought, type);
  if (isSought === undefined) return false;
  for (let start = 0; start < values.length; start += membersAtOnce) {
    const end = Math.min(values.length, start + membersAtOnce);
    spendSteps((end - start) * stepsPerMember);
    for (let at = start; at < end; at++) if (isSought(values[at] as Json)) return true;
  }
  return false;
}

/** Undefined where nothing equals the sought value. */
function equalTo(sought: Json, type: Type): IsSought | undefined {
  if (sought === null) return (member) => member === null;
  const read = readAs(sought, type);
  if (read === undefined) return undefined;
  switch (type) {
    case 'dynamic':
      return oneOf(read);
    case 'boolean':
      return oneOf(String(read), read);
    case 'plain':
      return oneOf(read, numberWith(String(read)), readAs(read, 'boolean'));
    default:
      return (member) => {
        const value = readAs(member, type);
        return value !== undefined && isSame(value, read);
      };
  }
}

/** Compares members as they are: to print each one, where it is compared with text, would take ten times as long. */
function oneOf(first: Comparable, second = first, third = first): IsSought {
  const isText = typeof first === 'string' ? sameText(first) : () => false;
  return (member) =>
    typeof member === 'string' ? isText(member) : member === first || member === second || member === third;
}

function sameText(text: string): (member: string) => boolean {
  const { length } = text;
  const steps = stepsForSame(length);
  return (member) => {
    if (member.length !== length) return false;
    if (steps > 0) spendSteps(steps);
    return member === text;
  };
}

/** No number is printed with more characters. */
const longestPrinted = 24;

/** The number that is printed as the text; the text where there is none. */
function numberWith(text: string): Comparable {
  if (text.length > longestPrinted) return text;
  const value = Number(text);
  return String(value) === text ? value : text;
}
