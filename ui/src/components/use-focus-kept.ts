import { type RefObject, useEffect } from 'react';

interface Targets {
  /** What says how it ended; null or undefined where there is nothing to say. */
  readonly notice?: RefObject<HTMLElement | null>;
  readonly button: RefObject<HTMLElement | null>;
}

/** A button that works is disabled and loses the focus; afterwards that goes to what says how it ended, or back (WCAG 2.4.3). */
export function useFocusKept(isPending: boolean, { notice, button }: Targets): void {
  useEffect(() => {
    if (!isPending) return;
    return () => {
      if (document.activeElement === document.body) (notice?.current ?? button.current)?.focus();
    };
  }, [isPending, notice, button]);
}
