import { Button, Group, Stack, Text } from '@mantine/core';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import classes from './editor.module.css';
import type { Leaving } from './use-leaving.ts';

interface EditorButtonsProps {
  readonly leaving: Leaving;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly isJson: boolean;
  readonly onCancel: () => void;
}

/** Saves, or leaves; what was changed is not thrown away without a question. */
export function EditorButtons({ leaving, isPending, error, isJson, onCancel }: EditorButtonsProps) {
  const { common, reactions } = useTexts();
  return (
    <Stack gap="xs" className={classes.actions}>
      {error !== null && <ErrorNotice error={error} />}
      <Group>
        <Button type="submit" loading={isPending} disabled={!isJson}>
          {common.save}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
      </Group>
      {leaving.leave !== undefined && (
        <ConfirmDialog
          title={reactions.discardTitle}
          action={reactions.discard}
          onConfirm={leaving.leave}
          onClose={leaving.stay}
        >
          <Text size="sm">{reactions.discardText}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
