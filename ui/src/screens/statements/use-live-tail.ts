import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { XapiAccess } from '../../api/xapi.ts';
import { useLanguages } from '../../texts/use-names.ts';
import { momentOf } from '../../xapi/moment.ts';
import type { Filters } from './filters.ts';
import { readPage, type StatementPage, type StoredStatement } from './queries.ts';

/** The newest statements, as far as they have come in. */
export interface Tail {
  readonly statements: readonly StoredStatement[];
  /** All statements until then are here or were; the next request asks for what is newer. */
  readonly through: string;
  /** How many have come in since it began. */
  readonly arrived: number;
}

export interface LiveTail {
  readonly tail: Tail | undefined;
  readonly isPaused: boolean;
  /** How many came in while it was paused. */
  readonly waiting: number;
  readonly error: Error | null;
  readonly pause: () => void;
  readonly goOn: () => void;
}

/** Milliseconds between two requests. */
const interval = 2_000;
const longestTail = 200;

/** Follows the statements that the filters let through. */
export function useLiveTail(xapi: XapiAccess, filters: Filters): LiveTail {
  const languages = useLanguages();
  const queries = useQueryClient();
  const queryKey = ['tail', xapi.credential['api-key'], languages, filters];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const tail = queries.getQueryData<Tail>(queryKey);
      const page = await readPage(xapi, newerThan(tail, filters), { languages, signal });
      return grown(tail, page);
    },
    refetchInterval: interval,
    gcTime: 0,
  });
  const [frozen, setFrozen] = useState<Tail>();
  return {
    tail: frozen ?? data,
    isPaused: frozen !== undefined,
    waiting: frozen === undefined || data === undefined ? 0 : data.arrived - frozen.arrived,
    error,
    pause: () => setFrozen(data),
    goOn: () => setFrozen(undefined),
  };
}

function newerThan(tail: Tail | undefined, filters: Filters): Filters {
  if (tail === undefined) return filters;
  const { since } = filters;
  // The later of the two: the operator may wait for statements of tomorrow.
  const isLater = since !== undefined && momentOf(since) > momentOf(tail.through);
  return isLater ? filters : { ...filters, since: tail.through };
}

/** What a request may repeat, as it asks from the last promise on, counts once. */
function grown(tail: Tail | undefined, { statements, next, through }: StatementPage): Tail {
  if (tail === undefined) return { statements, through, arrived: 0 };
  const known = new Set(tail.statements.map(({ id }) => id));
  const fresh = statements.filter(({ id }) => !known.has(id));
  // After more than a page has come in at once, what lies between is not here: the old ones would not follow the new ones.
  const older = next === undefined ? tail.statements : [];
  return {
    statements: [...(next === undefined ? fresh : statements), ...older].slice(0, longestTail),
    through: through > tail.through ? through : tail.through,
    arrived: tail.arrived + fresh.length,
  };
}
