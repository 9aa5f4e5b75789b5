import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { MouseEvent } from 'react';

interface IconActionProps extends Pick<ActionIconProps, 'color' | 'mt'> {
  /** What it does, and to what. */
  readonly label: string;
  readonly Icon: Icon;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
}

/** A button that shows only an icon. */
export function IconAction({ label, Icon: Shown, onClick, ...look }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" aria-label={label} onClick={onClick} {...look}>
        <Shown size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
