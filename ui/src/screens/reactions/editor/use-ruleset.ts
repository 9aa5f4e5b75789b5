import { useReducer } from 'react';
import { type JsonMistake, jsonText, parsed } from '../../../xapi/json-edit.ts';
import { hasUnfinished, withUnfinished } from './unfinished-value.ts';

interface RulesetState {
  readonly text: string;
  /** What the text says; while it is no JSON, what it said before. */
  readonly ruleset: unknown;
  /** Where the text stops being JSON, or names a member twice. */
  readonly mistake: JsonMistake | undefined;
  /** Whether a field of the form waits for a number. */
  readonly isUnfinished: boolean;
}

type Step = { readonly text: string } | { readonly change: (ruleset: unknown) => unknown };

/** A ruleset that is edited as text and as a form: what one changes the other shows. */
export interface RulesetDraft extends RulesetState {
  readonly setText: (text: string) => void;
  /** Has no effect while the text is no JSON. */
  readonly change: (change: (ruleset: unknown) => unknown) => void;
}

/** @param text what was written already in place of it */
export function useRuleset(initial: unknown, text?: string): RulesetDraft {
  const [state, dispatch] = useReducer(next, undefined, () =>
    text === undefined ? begin(initial) : next(begin(initial), { text }),
  );
  return {
    ...state,
    setText: (text) => dispatch({ text }),
    change: (change) => dispatch({ change }),
  };
}

function begin(ruleset: unknown): RulesetState {
  return { text: jsonText(ruleset), ruleset, mistake: undefined, isUnfinished: hasUnfinished(ruleset) };
}

function next(state: RulesetState, step: Step): RulesetState {
  if ('change' in step) return state.mistake === undefined ? begin(step.change(state.ruleset)) : state;
  const read = parsed(step.text);
  if ('mistake' in read) return { ...state, text: step.text, mistake: read.mistake };
  const ruleset = withUnfinished(read.value, state.ruleset);
  return { text: step.text, ruleset, mistake: undefined, isUnfinished: hasUnfinished(ruleset) };
}
