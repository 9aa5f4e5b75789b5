import { useMemo } from 'react';
import { type NavigateOptions, type To, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Filters } from './filters.ts';

/** What the address bar says. */
export interface Place {
  readonly filters: Filters;
  /** Where the page begins, from the link to it; empty on the first one. */
  readonly from: string;
  /** The statement whose details are open. */
  readonly show: string | undefined;
  /** Whether new statements are followed. */
  readonly live: boolean;
  /** `from` of the pages before this one, as far as they were visited on the way here. */
  readonly trail: readonly string[];
}

export interface Address {
  readonly place: Place;
  /** The place with some of it changed, for a link. */
  readonly link: (changes: Partial<Place>) => { readonly to: To } & NavigateOptions;
  readonly go: (changes: Partial<Place>) => void;
}

/** The first page, and nothing open. */
export const start = { from: '', show: undefined, live: false, trail: [] } as const;

const longestTrail = 1000;

export function useAddress(): Address {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  return useMemo(() => {
    const place = placeOf(search, state);
    const link = (changes: Partial<Place>) => {
      const next = { ...place, ...changes };
      return { to: { search: searchOf(next) }, state: { trail: next.trail.slice(-longestTrail) } };
    };
    const go = (changes: Partial<Place>) => {
      const { to, ...options } = link(changes);
      void navigate(to, options);
    };
    return { place, link, go };
  }, [search, state, navigate]);
}

function placeOf(search: URLSearchParams, state: unknown): Place {
  const { from = '', show, live, ...filters } = Object.fromEntries(search);
  return { filters, from, show, live: live === 'true', trail: trailIn(state) };
}

function searchOf({ filters, from, show, live }: Place): string {
  const own = { ...(from !== '' && { from }), ...(live && { live: 'true' }), ...(show && { show }) };
  return new URLSearchParams({ ...filters, ...own }).toString();
}

/** What the history of the browser kept, which another release may have written. */
function trailIn(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  return Array.isArray(state.trail) ? state.trail.map(String) : [];
}
