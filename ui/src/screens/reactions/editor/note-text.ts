import type { Texts } from '../../../texts/en.ts';

/**
 * What is said about a place in plain words, by the rule that it breaks or the reason of a warning; the server's message says it
 * exactly, in English. Undefined for a rule of another release.
 */
export function noteText(
  rule: string | undefined,
  { rules, warningRules }: Pick<Texts['reactions'], 'rules' | 'warningRules'>,
): string | undefined {
  const texts: Readonly<Record<string, string>> = { ...rules, ...warningRules };
  return rule !== undefined && Object.hasOwn(texts, rule) ? texts[rule] : undefined;
}
