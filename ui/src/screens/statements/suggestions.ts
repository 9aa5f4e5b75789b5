import { useQuery } from '@tanstack/react-query';
import type { Verb } from '../../../../lib/xapi/types.ts';
import { useKnownActivities } from '../../api/browse.ts';
import { callAdmin } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import type { Suggestion } from '../../components/suggest-input.tsx';
import { useNames } from '../../texts/use-names.ts';

const verbsQuery = {
  queryKey: ['suggestions', 'verbs'],
  queryFn: () =>
    callAdmin<{ readonly 'verb-frequency'?: readonly Verb[] }>('status', {
      query: { include: 'verb-frequency' },
    }),
  staleTime: 60_000,
};

/** The Verbs that most statements have, as far as they hold the text. */
export function useVerbSuggestions(text: string): readonly Suggestion[] {
  const names = useNames();
  const enabled = useEnvironment()['enable-admin-status'];
  const { data } = useQuery({ ...verbsQuery, enabled });
  const wanted = text.trim().toLowerCase();
  return (data?.['verb-frequency'] ?? [])
    .map((verb) => ({ value: verb.id, name: names.verb(verb) }))
    .filter(({ value, name }) => `${value} ${name}`.toLowerCase().includes(wanted));
}

/** Activities that hold the text in their id or definition. */
export function useActivitySuggestions(text: string, enabled = true): readonly Suggestion[] {
  const names = useNames();
  return useKnownActivities(text, enabled).map((activity) => ({
    value: activity.id,
    name: names.text(activity.definition?.name),
  }));
}
