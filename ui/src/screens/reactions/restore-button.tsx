import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeletedInList } from '../../../../lib/reactions/service-types.ts';
import { reactionsQuery, updateReaction } from '../../api/reactions.ts';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isTitleTaken } from './title-taken.ts';

interface RestoreButtonProps {
  readonly reaction: DeletedInList;
  readonly onRestored: () => void;
}

/** Brings a reaction back, paused; asks for another title where its own is taken. */
export function RestoreButton({ reaction: { id, title }, onRestored }: RestoreButtonProps) {
  const { reactions } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    /** @param other in place of its own title */
    mutationFn: (other: string | undefined) =>
      updateReaction(id, { active: false, ...(other !== undefined && { title: other }) }),
    onSuccess: async (_, other) => {
      onRestored();
      await queries.invalidateQueries({ queryKey: reactionsQuery.queryKey });
      done(reactions.restored(other ?? title));
    },
    onError: (failure) => {
      if (isTitleTaken(failure)) setAsking(true);
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={isPending && !isAsking}
        aria-label={reactions.workNamed(reactions.restore, title)}
        onClick={() => mutate(undefined)}
      >
        {reactions.restore}
      </Button>
      {error !== null && !isAsking && <ErrorNotice error={error} />}
      {isAsking && (
        <OtherTitle
          title={title}
          isPending={isPending}
          error={error}
          onRestore={mutate}
          onClose={() => {
            setAsking(false);
            reset();
          }}
        />
      )}
    </>
  );
}

interface OtherTitleProps {
  readonly title: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onRestore: (other: string) => void;
  readonly onClose: () => void;
}

function OtherTitle({ title, isPending, error, onRestore, onClose }: OtherTitleProps) {
  const { reactions } = useTexts();
  const [typed, setTyped] = useState(title);
  const [refused, setRefused] = useState(title);
  const other = typed.trim();
  return (
    <FormDialog
      title={reactions.restoreTitle}
      action={reactions.restore}
      isPending={isPending}
      error={isTitleTaken(error) ? null : error}
      isDisabled={other === ''}
      onSubmit={() => {
        setRefused(other);
        onRestore(other);
      }}
      onClose={onClose}
    >
      <Text size="sm" className="wrap-anywhere">
        {reactions.restoreTitleText(title)}
      </Text>
      <TextInput
        data-autofocus
        label={reactions.name}
        value={typed}
        error={isTitleTaken(error) && other === refused ? reactions.titleTaken : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        maxLength={255}
      />
    </FormDialog>
  );
}
