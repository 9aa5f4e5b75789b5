import { useTexts } from '../../../texts/texts.tsx';
import { usePlace } from './editing.ts';
import { NotesView } from './notes-view.tsx';
import { Section } from './section.tsx';
import { TemplateNode } from './template-node.tsx';

const at = ['template'];

/** The statement that is generated. */
export function TemplateForm() {
  const { reactions } = useTexts();
  const { notes } = usePlace(at);
  return (
    <Section title={reactions.template} text={reactions.templateText}>
      <NotesView notes={notes} />
      <TemplateNode at={at} name={reactions.template} isRoot />
    </Section>
  );
}
