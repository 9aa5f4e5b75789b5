import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject } from '../../../xapi/json-edit.ts';
import { ConditionForm, OnlyAsJson } from './condition-form.tsx';
import { emptyClause, freeName, withConditionNamed } from './conditions.ts';
import { useConditionNames, useEditing, usePlace } from './editing.ts';
import { NotesView } from './notes-view.tsx';
import { focusInList, listMarks, removeFromList } from './remove-button.tsx';
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
        onClick={(event) => {
          focusInList(event.currentTarget, nameSelector);
          set({ ...conditions, [freeName(names)]: emptyClause });
        }}
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
        <ConditionName name={name} />
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

/** The JSON follows while a name is typed; one that is empty or taken stays in the field, which says why it counts for nothing. */
function ConditionName({ name }: { readonly name: string }) {
  const { reactions } = useTexts();
  const { change } = useEditing();
  const names = useConditionNames();
  const [refused, setRefused] = useState<RefusedName>();
  const typed = refused?.instead === name ? refused.typed : name;
  const isRefused = typed !== name;
  const rename = (next: string) => {
    if (next === name) setRefused(undefined);
    else if (next === '' || names.includes(next)) setRefused({ typed: next, instead: name });
    else {
      setRefused(undefined);
      change((ruleset) => withConditionNamed(ruleset, name, next));
    }
  };
  return (
    <TextInput
      label={reactions.conditionName}
      value={typed}
      onChange={(event) => rename(event.currentTarget.value)}
      {...nameMark}
      {...(isRefused && {
        error: typed === '' ? reactions.nameMissing : reactions.nameTaken,
        'data-unfinished': true,
      })}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** A name that is typed and can't be the condition's, which keeps the other one. */
interface RefusedName {
  readonly typed: string;
  readonly instead: string;
}

/** Of the first field of a condition. */
const nameMark = { 'data-condition-name': true } as const;
const nameSelector = ':scope > * [data-condition-name]';
