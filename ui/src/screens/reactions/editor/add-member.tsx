import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { membersAt } from '../../../../../lib/reactions/ruleset/shape.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { SuggestInput } from '../../../components/suggest-input.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { pathText } from '../../../xapi/property-path.ts';
import { addSelector, focusInList, listMarks } from './remove-button.tsx';

interface AddMemberProps {
  /** Of the object in the statement. */
  readonly path: PropertyPath;
  /** Names that it has already. */
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}

/** Adds a member to an object of the template: one that the xAPI has there, or any other. */
export function AddMember({ path, taken, onAdd }: AddMemberProps) {
  const { reactions } = useTexts();
  const version = useEnvironment()['reaction-version'];
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const where = path.length === 0 ? reactions.template : pathText(path);
  const close = () => {
    setName('');
    setOpen(false);
  };
  const add = (from: Element) => {
    focusInList(from, ':scope > [role=group] input:not([type=hidden])');
    onAdd(name);
    close();
  };
  if (!isOpen) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        {...listMarks.add}
        aria-label={reactions.addMemberTo(where)}
        onClick={() => setOpen(true)}
        style={{ alignSelf: 'flex-start' }}
      >
        {reactions.addMember}
      </Button>
    );
  }
  const wanted = name.trim().toLowerCase();
  const offered = membersAt(path, version).filter(
    (each) => !taken.includes(each) && each.toLowerCase().includes(wanted),
  );
  const isFree = name !== '' && !taken.includes(name);
  return (
    <Group
      gap="xs"
      align="flex-end"
      wrap="nowrap"
      onKeyDown={({ key, currentTarget, defaultPrevented }) => {
        // A suggestion that is taken over by Enter is not added yet.
        if (key === 'Enter' && isFree && !defaultPrevented) add(currentTarget);
        if (key !== 'Escape') return;
        focusInList(currentTarget, addSelector);
        close();
      }}
    >
      <SuggestInput
        label={reactions.memberName(where)}
        value={name}
        suggestions={offered.map((value) => ({ value, name: undefined }))}
        onChange={setName}
        autoFocus
      />
      <Button size="sm" disabled={!isFree} onClick={(event) => add(event.currentTarget)}>
        {reactions.add}
      </Button>
    </Group>
  );
}
