import { useEffect, useRef, useState } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router';
import { guardPage } from '../../../session/unsaved.ts';

/** What is about to happen to changes that are not saved. */
export interface Leaving {
  /** Leaves the page; undefined while nobody wants to. */
  readonly leave: (() => void) | undefined;
  readonly stay: () => void;
  /** To be called before the page is left because there is nothing to lose. */
  readonly permit: () => void;
  /** Whether changes would be lost that nobody has given up. */
  readonly isToKeep: () => boolean;
}

/**
 * Holds whoever leaves the page while there are changes, by a link, in the history of the browser, by signing out or by closing
 * it, until he has said that he means it.
 */
export function useLeaving(isChanged: boolean): Leaving {
  const isPermitted = useRef(false);
  const isHeld: BlockerFunction = ({ currentLocation, nextLocation }) =>
    isChanged && !isPermitted.current && addressOf(currentLocation) !== addressOf(nextLocation);
  const { state, proceed, reset } = useBlocker(isHeld);
  /** What signs out. */
  const [action, setAction] = useState<() => void>();
  const permit = (): void => {
    isPermitted.current = true;
  };
  useEffect(() => (isChanged ? guardPage((leave) => setAction(() => leave)) : undefined), [isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!isPermitted.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [isChanged]);
  const leave = state === 'blocked' ? proceed : action;
  return {
    leave:
      leave &&
      (() => {
        permit();
        setAction(undefined);
        leave();
      }),
    stay: () => {
      reset?.();
      setAction(undefined);
    },
    permit,
    isToKeep: () => isChanged && !isPermitted.current,
  };
}

function addressOf({ pathname, search }: { readonly pathname: string; readonly search: string }): string {
  return pathname + search;
}
