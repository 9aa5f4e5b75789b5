import { useEffect, useRef } from 'react';

/**
 * Gives the focus, once a row that is removed here is not listed any more, to the row that takes its place, or to the heading of
 * the page where none is left (WCAG 2.4.3).
 * @returns what is to be told of the id of a row that goes away.
 */
export function useFocusAfterRemoval(
  rows: readonly { readonly id: string }[] | undefined,
): (id: string) => void {
  const removed = useRef<{ readonly id: string; readonly at: number }>(undefined);
  useEffect(() => {
    const { id, at } = removed.current ?? {};
    if (at === undefined || rows === undefined || rows.some((row) => row.id === id)) return;
    removed.current = undefined;
    const main = document.getElementById('main');
    const left = main?.querySelectorAll('tbody tr');
    const next = left?.[Math.min(at, rows.length - 1)]?.querySelector<HTMLElement>('button');
    (next ?? main?.querySelector<HTMLElement>('h1'))?.focus();
  }, [rows]);
  return (id) => {
    removed.current = { id, at: rows?.findIndex((row) => row.id === id) ?? 0 };
  };
}
