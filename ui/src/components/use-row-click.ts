import { type MouseEvent, useEffect, useRef } from 'react';

/** Milliseconds in which a second click of a mouse may follow, which selects a word and opens nothing. */
const doubleClick = 250;

/**
 * Makes a click anywhere in a row one on its element with `data-row`. A click on something that does its own work, one with a
 * key held down and the end of a selection of text are left alone.
 */
export function useRowClick(): (event: MouseEvent<HTMLElement>) => void {
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (event) => {
    window.clearTimeout(timer.current);
    const { currentTarget: row, target, nativeEvent } = event;
    const hasKey = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (hasKey || event.detail > 1 || isSelecting() || isControl(target, row)) return;
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
    timer.current = window.setTimeout(() => open(row), isTouch ? 0 : doubleClick);
  };
}

function open(row: HTMLElement): void {
  if (isSelecting()) return;
  const opener = row.querySelector<HTMLElement>('[data-row]');
  // What is opened gives the focus back to where it was.
  opener?.focus({ preventScroll: true });
  opener?.click();
}

function isSelecting(): boolean {
  return window.getSelection()?.isCollapsed === false;
}

/** Also what only React has for a part of the row, such as the menu of one of its buttons. */
function isControl(target: EventTarget, row: HTMLElement): boolean {
  if (!(target instanceof Element) || !row.contains(target)) return true;
  return target.closest('a, button, input, select, textarea, label, summary') !== null;
}
