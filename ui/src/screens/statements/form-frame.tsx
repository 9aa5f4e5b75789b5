import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';

interface FormFrameProps {
  readonly children: ReactNode;
  readonly onSubmit: () => void;
  readonly onClear: () => void;
}

/** A form of filters with its buttons. What is wrong in it the server says. */
export function FormFrame({ children, onSubmit, onClear }: FormFrameProps) {
  const { statements } = useTexts();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="sm">
        {children}
        <Group gap="xs">
          <Button type="submit" size="xs">
            {statements.search}
          </Button>
          <Button variant="default" size="xs" onClick={onClear}>
            {statements.clear}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
