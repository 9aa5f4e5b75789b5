import { type RefObject, useEffect } from 'react';

interface Targets {
  /** What says why it failed; null where there is nothing to say. */
  readonly notice: RefObject<HTMLElement | null>;
  readonly button: RefObject<HTMLElement | null>;
}

/** A button that works is disabled and loses the focus; after a failure that goes to what says why, or back (WCAG 2.4.3). */
export function useFocusKept(isPending: boolean, { notice, button }: Targets): void {
  useEffect(() => {
    if (!isPending) return;
    return () => {
      if (document.activeElement === document.body) (notice.current ?? button.current)?.focus();
    };
  }, [isPending, notice, button]);
}
