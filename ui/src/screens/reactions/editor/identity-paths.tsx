import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isPath, pathText } from '../../../xapi/property-path.ts';
import { OnlyAsJson } from './condition-form.tsx';
import { usePlace } from './editing.ts';
import { NotesView } from './notes-view.tsx';
import { PathRow } from './path-row.tsx';
import { listMarks } from './remove-button.tsx';
import { Section } from './section.tsx';

const at = ['identityPaths'];

/** What the statements of a match have to share, such as the learner. */
export function IdentityPaths() {
  const { reactions } = useTexts();
  const { value, notes, set } = usePlace(at);
  const paths = Array.isArray(value) ? value : [];
  return (
    <Section title={reactions.identity} text={reactions.identityText}>
      <NotesView notes={notes} />
      {value !== undefined && !Array.isArray(value) && <OnlyAsJson value={value} />}
      {paths.map((path, index) => (
        <IdentityPath
          // biome-ignore lint/suspicious/noArrayIndexKey: the field shows what the ruleset has at the place.
          key={index}
          at={[...at, index]}
          path={path}
          onRemove={() => set(paths.toSpliced(index, 1))}
        />
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        {...listMarks.add}
        onClick={() => set([...paths, []])}
        style={{ alignSelf: 'flex-start' }}
      >
        {reactions.addIdentity}
      </Button>
    </Section>
  );
}

interface IdentityPathProps {
  readonly at: PropertyPath;
  readonly path: unknown;
  readonly onRemove: () => void;
}

function IdentityPath({ at: place, path, onRemove }: IdentityPathProps) {
  const { reactions } = useTexts();
  const { notesWithin, set } = usePlace(place);
  return (
    <PathRow
      label={reactions.sharedValue}
      value={path}
      notes={notesWithin}
      onlyValues
      onChange={set}
      remove={{ label: reactions.removePath(isPath(path) ? pathText(path) : ''), onClick: onRemove }}
    />
  );
}
