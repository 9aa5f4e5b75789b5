import { useMemo } from 'react';
import {
  type ListAddress,
  type ListPlace,
  start as listStart,
  useListAddress,
} from '../../components/use-list-address.ts';

/** What the address bar says; the filters are those of the statements. */
export interface Place extends ListPlace {
  /** Whether new statements are followed. */
  readonly live: boolean;
}

export interface Address {
  readonly place: Place;
  /** The place with some of it changed, for a link. */
  readonly link: (changes: Partial<Place>) => ReturnType<ListAddress['link']>;
  readonly go: (changes: Partial<Place>) => void;
}

/** The first page, and nothing open. */
export const start = { ...listStart, live: false } as const;

export function useAddress(): Address {
  const address = useListAddress();
  return useMemo(() => {
    const { live, ...filters } = address.place.filters;
    const place = { ...address.place, filters, live: live === 'true' };
    return {
      place,
      link: (changes) => address.link(listPlace({ ...place, ...changes })),
      go: (changes) => address.go(listPlace({ ...place, ...changes })),
    };
  }, [address]);
}

function listPlace({ live, filters, ...place }: Place): ListPlace {
  return { ...place, filters: live ? { ...filters, live: 'true' } : filters };
}
