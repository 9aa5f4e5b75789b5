import { Button, type ButtonProps } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';

interface RefreshButtonProps extends Pick<ButtonProps, 'size'> {
  readonly label: string;
  /** Resolves when the refresh has ended, well or not. */
  readonly onRefresh: () => Promise<unknown>;
}

/** Reads again what the page shows, and shows that it is doing so. */
export function RefreshButton({ label, onRefresh, size = 'xs' }: RefreshButtonProps) {
  const [isRunning, setRunning] = useState(false);
  const refresh = async () => {
    setRunning(true);
    await onRefresh().finally(() => setRunning(false));
  };
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={isRunning}
      aria-busy={isRunning}
      onClick={() => void refresh()}
    >
      {label}
    </Button>
  );
}
