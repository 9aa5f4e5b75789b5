import type { RulesetRule } from '../../../../../lib/reactions/types.ts';
import type { Texts } from '../../../texts/en.ts';
import type { Note } from './notes.ts';

/** What is wrong at a place in plain words; the server's message says it exactly, in English. */
export function noteText(
  { rule }: Note,
  { rules, warning }: Pick<Texts['reactions'], 'rules' | 'warning'>,
): string {
  return rule !== undefined && isKnown(rule, rules) ? rules[rule] : warning;
}

function isKnown(rule: string, texts: Readonly<Record<RulesetRule, string>>): rule is RulesetRule {
  return Object.hasOwn(texts, rule);
}
