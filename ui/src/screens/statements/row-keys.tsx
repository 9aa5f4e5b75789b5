import { Box } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { KeyHints } from './key-hints.tsx';

interface RowKeysProps {
  readonly children: ReactNode;
  /** Whether there are rows to move through. */
  readonly hasRows: boolean;
  /** Changes with the page. */
  readonly page: string;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}

/**
 * Moves through rows and pages by keys, while a link of a row has the focus: elsewhere the keys mean what they always do
 * (WCAG 2.2, 2.1.4).
 */
export function RowKeys({ children, hasRows, page, onNext, onPrevious }: RowKeysProps) {
  const box = useRef<HTMLDivElement>(null);
  const hasTurned = useRef(false);
  const links = () => [...(box.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])];
  // Whoever turned the page by key goes on in its first row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is what it waits for.
  useEffect(() => {
    if (hasTurned.current) links()[0]?.focus();
    hasTurned.current = false;
  }, [page]);
  const turn = (to: (() => void) | undefined) => {
    hasTurned.current = to !== undefined;
    to?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = links();
    const row = all.findIndex((link) => link.matches(':focus'));
    if (row === -1 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => all[row + 1]?.focus(),
      ArrowUp: () => all[row - 1]?.focus(),
      Home: () => all[0]?.focus(),
      End: () => all.at(-1)?.focus(),
      ArrowRight: () => turn(onNext),
      ArrowLeft: () => turn(onPrevious),
    };
    const act = actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <Box ref={box} onKeyDown={onKeyDown}>
      {hasRows && <KeyHints hasPages={onNext !== undefined || onPrevious !== undefined} />}
      {children}
    </Box>
  );
}
