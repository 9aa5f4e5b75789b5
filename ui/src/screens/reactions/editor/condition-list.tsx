import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject } from '../../../xapi/json-edit.ts';
import { ConditionForm, OnlyAsJson } from './condition-form.tsx';
import { emptyClause, freeName, withConditionNamed } from './conditions.ts';
import { useConditionNames, useEditing, usePlace } from './editing.ts';
import { NotesView } from './notes-view.tsx';
import { listMarks, removeFromList } from './remove-button.tsx';
import { Section } from './section.tsx';

const at = ['conditions'];

/** The statements that have to be found, each by a condition with a name. */
export function ConditionList() {
  const { reactions } = useTexts();
  const { value, notes, set } = usePlace(at);
  const names = useConditionNames();
  const conditions = isObject(value) ? value : {};
  return (
    <Section title={reactions.conditions} text={reactions.conditionsText}>
      <NotesView notes={notes} />
      {value !== undefined && !isObject(value) && <OnlyAsJson value={value} />}
      {names.map((name, index) => (
        // A card keeps the focus while its condition gets another name.
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions never change places.
        <ConditionCard key={index} name={name} isOnly={names.length === 1} />
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        {...listMarks.add}
        onClick={() => set({ ...conditions, [freeName(names)]: emptyClause })}
        style={{ alignSelf: 'flex-start' }}
      >
        {reactions.addCondition}
      </Button>
    </Section>
  );
}

interface ConditionCardProps {
  readonly name: string;
  readonly isOnly: boolean;
}

function ConditionCard({ name, isOnly }: ConditionCardProps) {
  const { reactions } = useTexts();
  const { remove } = usePlace([...at, name]);
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <ConditionName key={name} name={name} />
        <ConditionForm at={[...at, name]} name={name} />
        {!isOnly && (
          <Button
            variant="subtle"
            size="compact-xs"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={(event) => removeFromList(event, remove)}
            style={{ alignSelf: 'flex-end' }}
          >
            {reactions.removeCondition(name)}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

/** Takes effect when the field is left: while a name is typed it may be that of another condition. */
function ConditionName({ name }: { readonly name: string }) {
  const { reactions } = useTexts();
  const { change } = useEditing();
  const names = useConditionNames();
  const [typed, setTyped] = useState(name);
  const isTaken = typed !== name && names.includes(typed);
  const commit = () => {
    if (typed === name) return;
    if (isTaken || typed === '') setTyped(name);
    else change((ruleset) => withConditionNamed(ruleset, name, typed));
  };
  return (
    <TextInput
      label={reactions.conditionName}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      error={isTaken ? reactions.nameTaken : typed === '' ? reactions.nameMissing : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
