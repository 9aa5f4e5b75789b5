import { createContext, useContext, useEffect } from 'react';

/** Tells what lies below whether a dialog stands over it. */
export const CoverContext = createContext<(isCovered: boolean) => void>(() => undefined);

/** The dialog that uses it is the one that a key closes, not what it stands over. */
export function useCover(): void {
  const cover = useContext(CoverContext);
  useEffect(() => {
    cover(true);
    return () => cover(false);
  }, [cover]);
}
