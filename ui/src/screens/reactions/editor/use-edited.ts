import { useState } from 'react';
import type { ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { jsonText } from '../../../xapi/json-edit.ts';
import type { ReactionDraft } from './use-kept-draft.ts';
import { type RulesetDraft, useRuleset } from './use-ruleset.ts';

/** What a new reaction begins with: it is complete but for what is specific. */
const blank = {
  identityPaths: [
    ['actor', 'mbox'],
    ['actor', 'account', 'homePage'],
    ['actor', 'account', 'name'],
  ],
  conditions: { done: { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/completed' } },
  template: {
    actor: { $templatePath: ['done', 'actor'] },
    verb: { id: 'https://example.org/verbs/noticed', display: { en: 'was noticed for' } },
    object: { $templatePath: ['done', 'object'] },
  },
};

/** A reaction while it is edited. */
export interface Edited {
  readonly title: string;
  readonly active: boolean;
  readonly draft: RulesetDraft;
  readonly setTitle: (title: string) => void;
  readonly setActive: (active: boolean) => void;
  /** Whether there is something to save, or to lose. */
  readonly isChanged: boolean;
  readonly isRulesetChanged: boolean;
  /** Whether a title was taken away. A new reaction may have none: the server gives it one. */
  readonly isTitleMissing: boolean;
}

/**
 * @param reaction undefined for a new one
 * @param kept what was written of it already
 */
export function useEdited(reaction: ShownReaction | undefined, kept?: ReactionDraft): Edited {
  const had = reaction?.title ?? '';
  const [title, setTitle] = useState(kept?.title ?? had);
  // Whoever changes what an error has stopped mends it.
  const wasActive = reaction === undefined || reaction.active || reaction.error !== null;
  const [active, setActive] = useState(kept?.active ?? wasActive);
  const initial = reaction?.ruleset ?? blank;
  const draft = useRuleset(initial, kept?.text);
  const isRulesetChanged = draft.text !== jsonText(initial);
  return {
    ...{ title, active, draft, setTitle, setActive },
    isChanged: title !== had || active !== wasActive || isRulesetChanged,
    isRulesetChanged,
    isTitleMissing: title.trim() === '' && had.trim() !== '',
  };
}
