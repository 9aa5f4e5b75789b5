import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';

interface FormDialogProps {
  readonly title: string;
  /** The fields. */
  readonly children: ReactNode;
  /** What the button says that sends the form. */
  readonly action: string;
  /** What the other one says. */
  readonly cancel?: string;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  /** What no field says. */
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A form in a dialog, with its error and its buttons; mounted only while it is open. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    children,
    action,
    cancel,
    isDangerous,
    isPending,
    isDisabled = false,
    error,
    onSubmit,
    onClose,
  } = props;
  const { common } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(isPending, { button });
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {children}
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {cancel ?? common.cancel}
            </Button>
            <Button
              ref={button}
              type="submit"
              {...(isDangerous && { color: 'red' })}
              loading={isPending}
              disabled={isDisabled}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
