import { Text } from '@mantine/core';
import { useTexts } from '../../../texts/texts.tsx';
import type { Note } from './notes.ts';

/** What the server says about a place, below it. */
export function NotesView({ notes }: { readonly notes: readonly Note[] }) {
  const { reactions } = useTexts();
  return notes.map(({ kind, message }) => (
    <Text
      key={message}
      size="xs"
      c={kind === 'error' ? 'var(--mantine-color-error)' : 'var(--mantine-color-orange-text)'}
      className="wrap-anywhere"
    >
      {reactions.noteKinds[kind]}: {message}
    </Text>
  ));
}
