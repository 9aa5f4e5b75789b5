import type { ReactionPath, Step } from '../types.ts';

/** The place of the template in its ruleset. */
export const templatePlace = '$.template';

const plainName = /^[A-Za-z_$][\w$-]*$/;

/** The place of a member or an element below another, e.g. `$.conditions["my quiz"].and[0]`. */
export function placeBelow(place: string, step: Step): string {
  if (typeof step === 'number') return `${place}[${step}]`;
  return plainName.test(step) ? `${place}.${step}` : `${place}[${JSON.stringify(step)}]`;
}

/** A path as one reads it in a message, e.g. `result.score.scaled`. */
export function shownPath(path: ReactionPath): string {
  return path.reduce<string>(placeBelow, '').replace(/^\./, '');
}

/**
 * The steps of a path that was written as text, as in other query languages: `$.verb.id`, `verb.id`, `member[0].name`,
 * `$['verb']['id']`; undefined for other texts.
 */
export function stepsOf(text: string): Step[] | undefined {
  if (text.length > 200) return undefined;
  const steps: Step[] = [];
  const step = /\.?(?:([A-Za-z_]\w*)|\[(\d{1,9})\]|\[(?:'([^'\]]*)'|"([^"\]]*)")\])/y;
  step.lastIndex = text.startsWith('$') ? 1 : 0;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index));
  }
  return steps.length > 0 ? steps : undefined;
}
