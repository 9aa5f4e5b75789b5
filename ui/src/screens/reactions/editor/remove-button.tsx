import { IconTrash } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { IconAction } from '../../../components/icon-action.tsx';

export interface RemoveButtonProps {
  /** Names what is removed. */
  readonly label: string;
  readonly onClick: () => void;
  /** Whether what it stands beside has no label above it. */
  readonly isInline?: boolean;
}

/** Removes what it stands beside. */
export function RemoveButton({ label, onClick, isInline = false }: RemoveButtonProps) {
  return (
    <IconAction
      label={label}
      Icon={IconTrash}
      onClick={(event) => removeFromList(event, onClick)}
      color="gray"
      mt={isInline ? 0 : 28}
    />
  );
}

/** Of a list and of the button in it that adds an entry. */
export const listMarks = { list: { 'data-list': true }, add: { 'data-add': true } } as const;

/** Within a list, what adds an entry to it. */
export const addSelector = ':scope > [data-add]';

/** Removes an entry; the focus, which would be lost with it, goes on to the button that adds one (WCAG 2.4.3). */
export function removeFromList({ currentTarget }: MouseEvent<HTMLElement>, remove: () => void): void {
  focusInList(currentTarget, addSelector);
  remove();
}

/** Gives the focus, once the page has changed, to the last element that fits in the list around what has it and goes away. */
export function focusInList(from: Element, selector: string): void {
  const list = from.closest('[data-list]');
  requestAnimationFrame(() => {
    const [...found] = list?.querySelectorAll<HTMLElement>(selector) ?? [];
    found.at(-1)?.focus();
  });
}
