import { Text } from '@mantine/core';
import { ServerText } from '../../../components/server-text.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { noteText } from './note-text.ts';
import type { Note } from './notes.ts';

/** What the server says about a place, below it. */
export function NotesView({ notes }: { readonly notes: readonly Note[] }) {
  const { reactions } = useTexts();
  return notes.map((note) => (
    <div key={note.message}>
      <Text
        size="xs"
        c={note.kind === 'error' ? 'var(--mantine-color-error)' : 'var(--mantine-color-orange-text)'}
      >
        {reactions.noteKinds[note.kind]}: {noteText(note.rule, reactions)}
      </Text>
      <ServerText>{note.message}</ServerText>
    </div>
  ));
}
