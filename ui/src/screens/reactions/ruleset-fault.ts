import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';

const inRuleset = ['ReactionQueryError', 'ReactionTemplateError', 'ReactionInvalidStatementError'];

/** Whether only another ruleset helps against the error that has stopped a reaction. */
export function isRulesetFault({ error }: Pick<ShownReaction, 'error'>): boolean {
  return error !== null && inRuleset.includes(error.type) && error.reason !== 'server';
}
