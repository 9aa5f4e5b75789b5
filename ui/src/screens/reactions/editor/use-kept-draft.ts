import { useEffect, useRef, useState } from 'react';
import type { ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { session } from '../../../api/session.ts';
import { forgetDraft, keepDraft, keptDraft } from '../../../session/kept-draft.ts';
import { isObject } from '../../../xapi/json-edit.ts';

/** A reaction as somebody has left it without saving. */
export interface ReactionDraft {
  /** The reaction when editing began; absent for a new one. */
  readonly begun?: ShownReaction | undefined;
  readonly title: string;
  readonly active: boolean;
  /** Of the ruleset. */
  readonly text: string;
}

/**
 * What was written of a reaction when the session ended, for whoever has signed in again.
 * @param id of the reaction, or `new`
 * @returns the draft, and what gives it up
 */
export function useKeptDraft(id: string): readonly [ReactionDraft | undefined, () => void] {
  const [draft, setDraft] = useState(() => {
    const kept = keptDraft(placeOf(id));
    return isDraft(kept) ? kept : undefined;
  });
  useEffect(() => {
    if (draft !== undefined) forgetDraft();
  }, [draft]);
  return [draft, () => setDraft(undefined)];
}

interface KeepingOptions {
  /** Tells whether there is something to keep, when the editor goes away. */
  readonly isToKeep: () => boolean;
  readonly draft: ReactionDraft;
}

/** Keeps the draft when the editor goes away without a decision of the operator: because the session has ended, or an error. */
export function useDraftKeeper(options: KeepingOptions): void {
  const [holder] = useState(session.holder);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(
    () => () => {
      const { isToKeep, draft } = latest.current;
      if (isToKeep()) keepDraft(placeOf(draft.begun?.id ?? 'new'), holder, draft);
    },
    [holder],
  );
}

function placeOf(id: string): string {
  return `reaction ${id}`;
}

/** Another release may have kept something else. */
function isDraft(kept: unknown): kept is ReactionDraft {
  return isObject(kept) && typeof kept.title === 'string' && typeof kept.text === 'string';
}
