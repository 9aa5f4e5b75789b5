import { type InputWrapperProps, Text } from '@mantine/core';
import { useEnvironment } from '../../../api/environment.ts';
import { TechnicalDetail } from '../../../components/server-text.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useEditing } from './editing.ts';
import { noteText } from './note-text.ts';
import type { Note } from './notes.ts';

/** What the server says about a place, below it. */
export function NotesView({ notes }: { readonly notes: readonly Note[] }) {
  const { reactions } = useTexts();
  return notes.map((note) => (
    <div key={note.message} data-note={note.kind} tabIndex={-1}>
      <Text
        size="xs"
        c={note.kind === 'error' ? 'var(--mantine-color-error)' : 'var(--mantine-color-orange-text)'}
      >
        {reactions.noteKinds[note.kind]}: <NoteText note={note} />
      </Text>
      <NoteDetail note={note} />
    </div>
  ));
}

/** In plain words; a rule of another release in those of the server. */
export function NoteText({ note }: { readonly note: Note }) {
  const text = useNoteText()(note);
  return text ?? <span lang="en">{note.message}</span>;
}

/** The words of the server, where the screen has its own. */
export function NoteDetail({ note }: { readonly note: Note }) {
  return useNoteText()(note) !== undefined && <TechnicalDetail>{note.message}</TechnicalDetail>;
}

function useNoteText(): (note: Note) => string | undefined {
  const { reactions: texts } = useTexts();
  const { ruleset } = useEditing();
  const version = useEnvironment()['reaction-version'];
  return (note) => noteText(note, { ruleset, version, texts });
}

/** Warnings with which no statement is ever made: a field with one is as wrong as one that is refused. */
const grave = ['template-path', 'template-statement', 'unknown-condition'];

/** Of a field. */
export type NoteProps = Pick<
  InputWrapperProps,
  'description' | 'descriptionProps' | 'error' | 'errorProps' | 'inputWrapperOrder'
>;

/** Marks the field that notes are about, and has it described by them. */
export function noteProps(notes: readonly Note[]): NoteProps {
  if (notes.length === 0) return {};
  const view = <NotesView notes={notes} />;
  const isWrong = notes.some(({ kind, rule }) => kind === 'error' || grave.includes(rule ?? ''));
  return isWrong
    ? { error: view, errorProps: { component: 'div' } }
    : {
        description: view,
        descriptionProps: { component: 'div' },
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      };
}
