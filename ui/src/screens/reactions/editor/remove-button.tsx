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

/** Removes an entry; the focus, which would be lost with it, goes on to the button that adds one (WCAG 2.4.3). */
export function removeFromList({ currentTarget }: MouseEvent<HTMLElement>, remove: () => void): void {
  const list = currentTarget.closest('[data-list]');
  remove();
  requestAnimationFrame(() => list?.querySelector<HTMLElement>(':scope > [data-add]')?.focus());
}
