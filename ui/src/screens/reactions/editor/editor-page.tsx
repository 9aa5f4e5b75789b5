import { Alert } from '@mantine/core';
import { useState } from 'react';
import type { SavedReaction, ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Page } from '../../../components/page.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Editor } from './editor.tsx';
import { useKeptDraft } from './use-kept-draft.ts';

interface EditorPageProps {
  /** Of the reaction, or `new`. */
  readonly id: string;
  /** As they are now; undefined until they are read. */
  readonly reactions: readonly ShownReaction[] | undefined;
  readonly error: Error | null;
  readonly onSaved: (title: string, saved: SavedReaction) => void;
  readonly onCancel: () => void;
}

/** The editor, as soon as it is known what there is to edit. It keeps what it began with, whatever others do meanwhile. */
export function EditorPage({ id, reactions, error, onSaved, onCancel }: EditorPageProps) {
  const { reactions: texts } = useTexts();
  const isNew = id === 'new';
  const current = reactions?.find((each) => each.id === id);
  const [kept, giveUpKept] = useKeptDraft(id);
  const [begun, setBegun] = useState(kept?.begun ?? current);
  if (begun === undefined && current !== undefined) setBegun(current);
  const isThere = isNew || begun !== undefined;
  return (
    <Page title={isNew ? texts.create : texts.editTitle}>
      {!isThere && error !== null && <ErrorNotice error={error} />}
      {!isThere && error === null && reactions === undefined && <Waiting />}
      {!isThere && reactions !== undefined && <Alert color="red">{texts.gone}</Alert>}
      {isThere && (
        <Editor
          key={begun?.modified}
          reaction={begun}
          kept={kept}
          current={reactions === undefined ? begun : current}
          onLoad={(other) => {
            giveUpKept();
            setBegun(other);
          }}
          onSaved={onSaved}
          onCancel={onCancel}
        />
      )}
    </Page>
  );
}
