import { useCallback, useState } from 'react';

/** Whether the content of an element is larger than the element, so that it scrolls. */
export function useOverflow<T extends HTMLElement>(): {
  readonly ref: (element: T | null) => (() => void) | undefined;
  readonly isOverflowing: boolean;
} {
  const [isOverflowing, setOverflowing] = useState(false);
  const ref = useCallback((element: T | null) => {
    if (element === null) return undefined;
    const measure = () =>
      setOverflowing(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { ref, isOverflowing };
}
