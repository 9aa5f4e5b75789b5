import { Alert, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type Ref, useRef, useState } from 'react';
import type { SavedReaction, ShownError, ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import type { PreviewRange } from '../../../api/reactions.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { FailureView } from '../failure-view.tsx';
import { titleError } from '../title-taken.ts';
import { EditingContext } from './editing.ts';
import { EditorButtons } from './editor-buttons.tsx';
import { EditorForm } from './editor-form.tsx';
import { EditorSides } from './editor-sides.tsx';
import { MeanwhileNotice } from './meanwhile-notice.tsx';
import { Starters } from './starters.tsx';
import { type Edited, useEdited } from './use-edited.ts';
import { type ReactionDraft, useDraftKeeper } from './use-kept-draft.ts';
import { useLeaving } from './use-leaving.ts';
import { useMeanwhile } from './use-meanwhile.ts';
import { usePreview } from './use-preview.ts';
import { usePreviewSummary } from './use-preview-summary.ts';
import { isOutdated, useSave } from './use-save.ts';

export interface EditorProps {
  /** As it was when editing began; undefined for a new one. */
  readonly reaction: ShownReaction | undefined;
  /** What was written of it before the session ended. */
  readonly kept: ReactionDraft | undefined;
  /** As it is now; undefined when there is none any more. */
  readonly current: ShownReaction | undefined;
  /** Begins anew with the reaction as it is now. */
  readonly onLoad: (current: ShownReaction) => void;
  readonly onSaved: (title: string, saved: SavedReaction) => void;
  readonly onCancel: () => void;
}

/** A reaction as a form and as JSON, with what it would do. */
export function Editor({ reaction, kept, current, onLoad, onSaved, onCancel }: EditorProps) {
  const edited = useEdited(reaction, kept);
  const { title, active, draft, isChanged } = edited;
  const [range, setRange] = useState<PreviewRange>({ statements: 1000 });
  const preview = usePreview(draft, range);
  const summaryOf = usePreviewSummary();
  const leaving = useLeaving(isChanged);
  useDraftKeeper({
    isToKeep: leaving.isToKeep,
    draft: { begun: reaction, title, active, text: draft.text },
  });
  const save = useSave({
    edited: { title, active, ruleset: draft.ruleset },
    over: current,
    onSaved: (...saved) => {
      leaving.permit();
      onSaved(...saved);
    },
  });
  const load = (other: ShownReaction): void => {
    leaving.permit();
    onLoad(other);
  };
  const { isSaving } = save;
  const meanwhile = useMeanwhile({ reaction, current, isChanged, isSaving, onLoad });
  const [isAsking, setAsking] = useState(false);
  const titleField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const submit = (unfinished: HTMLElement | null): void => {
    if (draft.mistake !== undefined) return;
    if (edited.isTitleMissing) titleField.current?.focus();
    else if (unfinished !== null) unfinished.focus();
    else if (meanwhile?.current !== undefined) setAsking(true);
    else save.send();
  };
  return (
    <EditorForm ref={form} onSubmit={submit}>
      <EditingContext value={{ ruleset: draft.ruleset, notes: preview.notes, change: draft.change }}>
        <Stack gap="lg">
          {kept !== undefined && <KeptNotice />}
          {reaction === undefined && <Starters edited={edited} />}
          {reaction?.error && <StoppedNotice error={reaction.error} />}
          <Head edited={edited} error={save.error} titleField={titleField} />
          <EditorSides draft={draft} preview={preview} range={range} onRange={setRange} />
          <EditorButtons
            leaving={leaving}
            isPending={save.isPending}
            error={meanwhile !== undefined && isOutdated(save.error) ? null : save.error}
            isJson={draft.mistake === undefined}
            isNew={meanwhile !== undefined && meanwhile.current === undefined}
            onCancel={onCancel}
            onTitle={() => titleField.current?.focus()}
            onWarning={() => form.current?.querySelector<HTMLElement>('[data-note=warning]')?.focus()}
            warnings={preview.notes.filter(({ kind }) => kind === 'warning').length}
            summary={summaryOf(preview)}
          >
            {meanwhile !== undefined && reaction !== undefined && (
              <MeanwhileNotice id={reaction.id} meanwhile={meanwhile} json={draft.text} onLoad={load} />
            )}
          </EditorButtons>
          {isAsking && meanwhile !== undefined && (
            <SaveOver
              onConfirm={() => {
                setAsking(false);
                save.send();
              }}
              onClose={() => setAsking(false)}
            />
          )}
        </Stack>
      </EditingContext>
    </EditorForm>
  );
}

/** Says whence the changes come, until that is closed. */
function KeptNotice() {
  const { common, reactions } = useTexts();
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <Alert
      color="yellow"
      p="xs"
      role="status"
      title={reactions.restoredTitle}
      withCloseButton
      closeButtonLabel={common.close}
      onClose={() => setOpen(false)}
    >
      <Text size="sm">{reactions.restoredText}</Text>
    </Alert>
  );
}

function StoppedNotice({ error }: { readonly error: ShownError }) {
  const { reactions } = useTexts();
  return (
    <Alert color="red" title={reactions.stoppedTitle} p="xs">
      <FailureView error={error} hasRemedy isApart />
    </Alert>
  );
}

interface HeadProps {
  readonly edited: Edited;
  /** Of saving. */
  readonly error: Error | null;
  readonly titleField: Ref<HTMLInputElement>;
}

/** What is not part of the ruleset. */
function Head({ edited, error, titleField }: HeadProps) {
  const { reactions } = useTexts();
  const { title, active, setTitle, setActive, isTitleMissing } = edited;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        ref={titleField}
        label={reactions.name}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={isTitleMissing ? reactions.titleMissing : titleError(error, reactions)}
        autoComplete="off"
        maxLength={255}
      />
      <Switch
        label={reactions.isActive}
        description={reactions.isActiveText}
        checked={active}
        onChange={(event) => setActive(event.currentTarget.checked)}
        mt={{ sm: 20 }}
      />
    </SimpleGrid>
  );
}

interface SaveOverProps {
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function SaveOver({ onConfirm, onClose }: SaveOverProps) {
  const { reactions } = useTexts();
  return (
    <ConfirmDialog
      title={reactions.saveOverTitle}
      action={reactions.saveOver}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text size="sm">{reactions.saveOverText}</Text>
    </ConfirmDialog>
  );
}
