import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  /** Has to be typed first, for what can't be taken back. */
  readonly word?: string;
  /** What the other button says, where that it cancels may be misread. */
  readonly cancel?: string;
  readonly isPending?: boolean;
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done; mounted only while it asks. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    children,
    action,
    cancel,
    word,
    isPending = false,
    error = null,
    onConfirm,
    onClose,
  } = props;
  const { common } = useTexts();
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      action={action}
      {...(cancel !== undefined && { cancel })}
      isPending={isPending}
      error={error}
      isDangerous
      isDisabled={word !== undefined && !isSame(typed, word)}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      {children}
      {word !== undefined && (
        <TextInput
          label={common.typeToConfirm(word)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}

/** Blanks count as they are seen: several, and line ends, show as one, and none at the ends. */
function isSame(typed: string, word: string): boolean {
  const seen = (text: string): string => text.normalize().replace(/\s+/g, ' ').trim();
  return seen(typed) === seen(word);
}
