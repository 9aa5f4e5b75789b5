import { useState } from 'react';
import type { Filters } from './filters.ts';

/** What somebody makes of the filters before they are applied; begins anew when those of the address change. */
export function useDraft<T>(filters: Filters, make: (filters: Filters) => T): [T, (draft: T) => void] {
  const key = JSON.stringify(filters);
  const [seen, setSeen] = useState(key);
  const [draft, setDraft] = useState(() => make(filters));
  if (seen !== key) {
    setSeen(key);
    setDraft(make(filters));
  }
  return [draft, setDraft];
}
