import { useEffect, useState } from 'react';

/** Gives the focus back to what had it before, when what uses this goes away (WCAG 2.4.3). */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
