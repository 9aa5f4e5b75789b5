import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Activity, Actor } from '../../../lib/xapi/types.ts';
import { callAdmin } from './client.ts';

/** An Agent or identified Group that statements have told of. */
export interface KnownAgent {
  readonly agent: Actor;
  readonly names: readonly string[];
  /** How many statements have it as their Actor; absent when none has. */
  readonly statements?: number;
}

const pause = 250;
const most = 20;

/** A few of the Agents that hold the text, for suggestions while it is typed. */
export function useKnownAgents(text: string, enabled = true): readonly KnownAgent[] {
  return useKnown<{ readonly agents: readonly KnownAgent[] }>('agents', text, enabled)?.agents ?? [];
}

/** The same of Activities. */
export function useKnownActivities(text: string, enabled = true): readonly Activity[] {
  const answer = useKnown<{ readonly activities: readonly Activity[] }>('activities', text, enabled);
  return answer?.activities ?? [];
}

function useKnown<T>(path: string, text: string, enabled: boolean): T | undefined {
  const [search] = useDebouncedValue(text.trim().slice(0, 200), pause);
  const { data } = useQuery({
    queryKey: ['suggestions', path, search],
    queryFn: ({ signal }) => callAdmin<T>(path, { query: { search, limit: most }, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
  return data;
}
