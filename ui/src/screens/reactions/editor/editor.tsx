import { Alert, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SavedReaction, ShownError, ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import type { PreviewRange } from '../../../api/reactions.ts';
import { fieldError, restOf } from '../../../components/field-errors.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { jsonText } from '../../../xapi/json-edit.ts';
import { FailureView } from '../failure-view.tsx';
import { EditingContext } from './editing.ts';
import { EditorButtons } from './editor-buttons.tsx';
import { EditorSides } from './editor-sides.tsx';
import { Starters } from './starters.tsx';
import { useLeaving } from './use-leaving.ts';
import { usePreview } from './use-preview.ts';
import { useRuleset } from './use-ruleset.ts';
import { useSave } from './use-save.ts';

export interface EditorProps {
  /** Absent for a new one. */
  readonly reaction?: ShownReaction | undefined;
  readonly onSaved: (title: string, saved: SavedReaction) => void;
  readonly onCancel: () => void;
}

/** What a new reaction begins with: it is complete but for what is specific. */
const blank = {
  identityPaths: [
    ['actor', 'mbox'],
    ['actor', 'account', 'homePage'],
    ['actor', 'account', 'name'],
  ],
  conditions: { done: { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/completed' } },
  template: {
    actor: { $templatePath: ['done', 'actor'] },
    verb: { id: 'https://example.org/verbs/noticed', display: { en: 'was noticed for' } },
    object: { $templatePath: ['done', 'object'] },
  },
};

/** A reaction as a form and as JSON, with what it would do. */
export function Editor({ reaction, onSaved, onCancel }: EditorProps) {
  const [title, setTitle] = useState(reaction?.title ?? '');
  // Whoever changes what an error has stopped mends it.
  const wasActive = reaction === undefined || reaction.active || reaction.error !== null;
  const [active, setActive] = useState(wasActive);
  const initial = reaction?.ruleset ?? blank;
  const draft = useRuleset(initial);
  const [range, setRange] = useState<PreviewRange>({ statements: 1000 });
  const preview = usePreview(draft, range);
  const isChanged =
    title !== (reaction?.title ?? '') || active !== wasActive || draft.text !== jsonText(initial);
  const leaving = useLeaving(isChanged);
  const save = useSave(reaction, (...saved) => {
    leaving.permit();
    onSaved(...saved);
  });
  return (
    <form
      onSubmit={(event) => {
        // What happens in a dialog over the form comes here, too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (draft.mistake === undefined) save.mutate({ title, active, ruleset: draft.ruleset });
      }}
      // Enter in one of the many fields means that field, not that all is done.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <EditingContext value={{ ruleset: draft.ruleset, notes: preview.notes, change: draft.change }}>
        <Stack gap="lg">
          {reaction === undefined && (
            <Starters
              onChoose={(name, example) => {
                setTitle(name);
                draft.setText(jsonText(example.ruleset));
              }}
            />
          )}
          {reaction?.error && <StoppedNotice error={reaction.error} />}
          <Head title={title} active={active} error={save.error} onTitle={setTitle} onActive={setActive} />
          <EditorSides draft={draft} preview={preview} range={range} onRange={setRange} />
          <EditorButtons
            leaving={leaving}
            isPending={save.isPending}
            error={restOf(save.error, ['title'])}
            isJson={draft.mistake === undefined}
            onCancel={onCancel}
          />
        </Stack>
      </EditingContext>
    </form>
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
  readonly title: string;
  readonly active: boolean;
  /** Of saving. */
  readonly error: Error | null;
  readonly onTitle: (title: string) => void;
  readonly onActive: (active: boolean) => void;
}

/** What is not part of the ruleset. */
function Head({ title, active, error, onTitle, onActive }: HeadProps) {
  const { reactions } = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={reactions.name}
        value={title}
        onChange={(event) => onTitle(event.currentTarget.value)}
        error={fieldError(error, 'title')}
        autoComplete="off"
        maxLength={255}
      />
      <Switch
        label={reactions.isActive}
        description={reactions.isActiveText}
        checked={active}
        onChange={(event) => onActive(event.currentTarget.checked)}
        mt={{ sm: 20 }}
      />
    </SimpleGrid>
  );
}
