import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Preview } from '../../../../../lib/reactions/service-types.ts';
import { ApiError } from '../../../api/errors.ts';
import { type PreviewRange, previewQuery } from '../../../api/reactions.ts';
import { isObject } from '../../../xapi/json-edit.ts';
import { type Note, notesOf } from './notes.ts';
import { isInverted } from './range-choice.tsx';
import { hasUnfinished } from './unfinished-value.ts';
import type { RulesetDraft } from './use-ruleset.ts';

/** Milliseconds without a change after which the server is asked. */
const pause = 600;

export interface PreviewState {
  readonly preview: Preview | undefined;
  readonly error: Error | null;
  /** Whether what is shown is about an earlier ruleset, and the answer about this one is on its way. */
  readonly isOutdated: boolean;
  /** What the server says about places of the ruleset. */
  readonly notes: readonly Note[];
  readonly retry: () => void;
}

/** What the ruleset would do, asked anew whenever it changes. */
export function usePreview(
  { ruleset, mistake, isUnfinished }: RulesetDraft,
  range: PreviewRange,
): PreviewState {
  const [asked] = useDebouncedValue(ruleset, pause);
  const isWritten = mistake === undefined && !isUnfinished && isObject(ruleset);
  const canAsk = isWritten && !isInverted(range);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...previewQuery(asked, range),
    placeholderData: keepPreviousData,
    // What was written a moment ago may lack a number.
    enabled: canAsk && !hasUnfinished(asked),
  });
  return {
    preview: canAsk && error === null ? data : undefined,
    error,
    isOutdated: !isInverted(range) && (asked !== ruleset || isPlaceholderData || isFetching),
    notes: isWritten ? notesFrom(data, error) : [],
    retry: () => void refetch(),
  };
}

function notesFrom(preview: Preview | undefined, error: Error | null): Note[] {
  return error === null ? notesOf(preview?.warnings ?? [], 'warning') : notesOf(detailsOf(error), 'error');
}

/** Those about the ruleset; what is wrong elsewhere only the notice of the error tells. */
function detailsOf(error: Error) {
  return error instanceof ApiError ? error.details.filter(({ path }) => path.startsWith('$')) : [];
}
