import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useFocusKept } from '../../../components/use-focus-kept.ts';
import { useOverflow } from '../../../components/use-overflow.ts';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import classes from './editor.module.css';
import { RefusalNotice } from './refusal-notice.tsx';
import type { Leaving } from './use-leaving.ts';

interface EditorButtonsProps {
  readonly leaving: Leaving;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly isJson: boolean;
  /** Whether what is saved becomes a reaction of its own. */
  readonly isNew: boolean;
  readonly onCancel: () => void;
  /** Gives the focus to the field of the title. */
  readonly onTitle: () => void;
  /** Gives the focus to the first warning in the form. */
  readonly onWarning: () => void;
  /** How many warnings there are about the ruleset, which may be out of sight. */
  readonly warnings: number;
  /** What the preview says, in short. */
  readonly summary: string;
  /** What has to be known before saving. */
  readonly children: ReactNode;
}

/** Saves, or leaves; what was changed is not thrown away without a question. */
export function EditorButtons(props: EditorButtonsProps) {
  const {
    leaving,
    isPending,
    error,
    isJson,
    isNew,
    onCancel,
    onTitle,
    onWarning,
    warnings,
    summary,
    children,
  } = props;
  const { common, reactions } = useTexts();
  const { number } = useFormats();
  const notice = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(isPending, { notice, button });
  const { ref: notices, isOverflowing } = useOverflow<HTMLDivElement>();
  return (
    <Stack gap="xs" className={classes.actions}>
      {/* Long notices scroll, so that they never cover the form. */}
      <Box
        ref={notices}
        className={classes.notices}
        {...(isOverflowing && { tabIndex: 0, role: 'region', 'aria-label': reactions.notices })}
      >
        <Stack gap="xs">
          {children}
          {error !== null && (
            <div ref={notice} tabIndex={-1}>
              <RefusalNotice title={reactions.saveFailed} error={error} onTitle={onTitle} />
            </div>
          )}
        </Stack>
      </Box>
      <Group style={{ rowGap: 4 }}>
        <Button ref={button} type="submit" loading={isPending} disabled={!isJson}>
          {isNew ? reactions.saveAsNew : common.save}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        {warnings > 0 && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            mih={24}
            ta="start"
            c="var(--mantine-color-orange-text)"
            underline="always"
            onClick={onWarning}
          >
            {reactions.warnedOf(warnings, number)}
          </Anchor>
        )}
        {/* The preview itself may be out of sight. */}
        <Text size="sm" flex="1 1 120px">
          {summary}
        </Text>
      </Group>
      {leaving.leave !== undefined && (
        <ConfirmDialog
          title={reactions.discardTitle}
          action={reactions.discard}
          cancel={reactions.keepEditing}
          onConfirm={leaving.leave}
          onClose={leaving.stay}
        >
          <Text size="sm">{reactions.discardText}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
