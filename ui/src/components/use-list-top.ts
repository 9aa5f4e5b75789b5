import { type RefObject, useEffect, useRef } from 'react';

/**
 * For the element around a paged list: whoever turns the page below a long list begins the next page at its top.
 * @param page names the page that is shown; undefined while it is on its way
 */
export function useListTop(page: string | number | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (page === undefined || page === shown.current) return;
    const isFirst = shown.current === undefined;
    shown.current = page;
    if (isFirst || list.current === null || list.current.getBoundingClientRect().top >= 0) return;
    list.current.scrollIntoView({ block: 'start' });
  }, [page]);
  return list;
}
