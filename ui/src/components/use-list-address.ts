import { useMemo } from 'react';
import { type NavigateOptions, type To, useLocation, useNavigate, useSearchParams } from 'react-router';

/** What the address says of a list. */
export interface ListPlace {
  /** Which entries are listed, by the names that the server has for its parameters. */
  readonly filters: Readonly<Record<string, string>>;
  /** Where the page begins, from the link to it; empty on the first one. */
  readonly from: string;
  /** The entry whose details are open. */
  readonly show: string | undefined;
  /** `from` of the pages before this one, as far as they were visited on the way here. */
  readonly trail: readonly string[];
}

export interface ListAddress {
  readonly place: ListPlace;
  /** The place with some of it changed, for a link. */
  readonly link: (changes: Partial<ListPlace>) => { readonly to: To } & NavigateOptions;
  readonly go: (changes: Partial<ListPlace>, options?: Pick<NavigateOptions, 'replace'>) => void;
  /** Some filters changed, from the first page on; an empty one is left out. */
  readonly filter: (
    changes: Readonly<Record<string, string>>,
    options?: Pick<NavigateOptions, 'replace'>,
  ) => void;
}

/** The first page, and nothing open. */
export const start = { from: '', show: undefined, trail: [] } as const;

const longestTrail = 1000;

/** A list whose filters, page and open entry are in the address: it can be shared, and the way back works. */
export function useListAddress(): ListAddress {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  return useMemo(() => {
    const place = placeOf(search, state);
    const link: ListAddress['link'] = (changes) => {
      const next = { ...place, ...changes };
      return { to: { search: searchOf(next) }, state: { trail: next.trail.slice(-longestTrail) } };
    };
    const go: ListAddress['go'] = (changes, options) => {
      const { to, ...own } = link(changes);
      void navigate(to, { ...own, ...options });
    };
    const filter: ListAddress['filter'] = (changes, options) =>
      go({ ...start, filters: { ...place.filters, ...changes } }, options);
    return { place, link, go, filter };
  }, [search, state, navigate]);
}

function placeOf(search: URLSearchParams, state: unknown): ListPlace {
  const { from = '', show, ...filters } = Object.fromEntries(search);
  return { filters, from, show, trail: trailIn(state) };
}

function searchOf({ filters, from, show }: ListPlace): string {
  const entries = Object.entries({ ...filters, from, show: show ?? '' });
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString();
}

/** What the history of the browser kept, which another release may have written. */
function trailIn(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  return Array.isArray(state.trail) ? state.trail.map(String) : [];
}
