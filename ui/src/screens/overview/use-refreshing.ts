import { StoredText, useStoredText } from '../../observable/stored-text.ts';

/** How queries stay fresh; nothing is asked while the tab is hidden. */
export interface Refreshing {
  readonly refetchInterval: number | false;
  readonly refetchOnWindowFocus: boolean;
}

const interval = 10_000;
const paused = new StoredText('overview-paused');

/** Whether the overview refreshes by itself, which this browser remembers. */
export function useRefreshing(): {
  readonly isOn: boolean;
  readonly switchTo: (isOn: boolean) => void;
  readonly refreshing: Refreshing;
} {
  const isOn = useStoredText(paused) === undefined;
  return {
    isOn,
    switchTo: (on) => paused.set(on ? undefined : 'yes'),
    refreshing: { refetchInterval: isOn && interval, refetchOnWindowFocus: isOn },
  };
}
