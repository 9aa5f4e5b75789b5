import { useQuery } from '@tanstack/react-query';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { useXapi } from '../../../api/xapi.ts';
import type { Suggestion as SuggestedValue } from '../../../components/suggest-input.tsx';
import { keyOf } from '../../../xapi/property-path.ts';
import { suggestionsQuery } from '../../export/queries.ts';
import type { Suggestion } from '../../export/suggestions.ts';
import { useActivitySuggestions, useVerbSuggestions } from '../../statements/suggestions.ts';

/** Paths that the newest statements have; none without a key pair to read them. */
export function useKnownPaths(): readonly Suggestion[] {
  const { data = [] } = useQuery(suggestionsQuery(useXapi(), {}));
  return data;
}

/** Values that stored statements have at the path, as far as they hold the text. */
export function useKnownValues(path: PropertyPath, text: string): readonly SuggestedValue[] {
  const isVerb = keyOf(path) === '["verb","id"]';
  const isActivity =
    !isVerb && path.at(-1) === 'id' && ['object', 'contextActivities'].some((step) => path.includes(step));
  const verbs = useVerbSuggestions(text);
  const activities = useActivitySuggestions(text, isActivity);
  const known = useKnownPaths().find((each) => keyOf(each.path) === keyOf(path));
  if (isVerb && verbs.length > 0) return verbs;
  if (isActivity) return activities;
  const wanted = text.trim().toLowerCase();
  return (known?.values ?? [])
    .map(String)
    .filter((value) => value.toLowerCase().includes(wanted))
    .map((value) => ({ value, name: undefined }));
}
