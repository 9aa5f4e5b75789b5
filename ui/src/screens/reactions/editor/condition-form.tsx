import { Button, Code, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject } from '../../../xapi/json-edit.ts';
import { ClauseForm } from './clause-form.tsx';
import { asKind, type ConditionKind, conditionKind, conditionKinds, emptyClause } from './conditions.ts';
import { usePlace } from './editing.ts';
import classes from './editor.module.css';
import { NotesView } from './notes-view.tsx';
import { focusInList, listMarks, RemoveButton } from './remove-button.tsx';

interface ConditionFormProps {
  readonly at: PropertyPath;
  /** Names it for those who don't see where it stands, such as `passed 1.2`. */
  readonly name: string;
  /** Absent where it has to stay. */
  readonly onRemove?: () => void;
}

/** A condition, whatever it consists of. */
export function ConditionForm({ at, name, onRemove }: ConditionFormProps) {
  const { reactions } = useTexts();
  const { value, notes, set } = usePlace(at);
  const kind = conditionKind(value);
  return (
    <Stack gap="xs" role="group" aria-label={reactions.conditionNamed(name)}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Select
          label={reactions.conditionKind}
          flex={1}
          value={kind}
          data={conditionKinds.map((each) => ({ value: each, label: reactions.conditionKinds[each] }))}
          allowDeselect={false}
          {...kindMark}
          onChange={(next) => {
            const chosen = conditionKinds.find((each) => each === next);
            if (chosen !== undefined) set(asKind(value, chosen));
          }}
        />
        {onRemove !== undefined && (
          <RemoveButton label={reactions.removeCondition(name)} onClick={onRemove} />
        )}
      </Group>
      {kind !== 'clause' && <NotesView notes={notes} />}
      <Content at={at} name={name} kind={kind} value={value} />
    </Stack>
  );
}

interface ContentProps extends Omit<ConditionFormProps, 'onRemove'> {
  readonly kind: ConditionKind;
  readonly value: unknown;
}

function Content({ at, name, kind, value }: ContentProps) {
  const { reactions } = useTexts();
  const content = isObject(value) ? value[kind] : undefined;
  if (kind === 'clause') return isObject(value) ? <ClauseForm at={at} /> : <OnlyAsJson value={value} />;
  if (kind === 'not') {
    return (
      <div className={classes.nested}>
        <ConditionForm at={[...at, 'not']} name={`${name} ${reactions.conditionKinds.not}`} />
      </div>
    );
  }
  return Array.isArray(content) ? (
    <Parts at={[...at, kind]} name={name} parts={content} />
  ) : (
    <OnlyAsJson value={content} />
  );
}

interface PartsProps {
  readonly at: PropertyPath;
  readonly name: string;
  readonly parts: readonly unknown[];
}

function Parts({ at, name, parts }: PartsProps) {
  const { reactions } = useTexts();
  const { notes, set } = usePlace(at);
  return (
    <Stack gap="lg" className={classes.nested} {...listMarks.list}>
      {parts.map((_, index) => (
        <ConditionForm
          // Parts have nothing but their place that tells them apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields show what the ruleset has at the place.
          key={index}
          at={[...at, index]}
          name={`${name} ${index + 1}`}
          {...(parts.length > 1 && { onRemove: () => set(parts.toSpliced(index, 1)) })}
        />
      ))}
      <NotesView notes={notes} />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        {...listMarks.add}
        aria-label={reactions.addPartTo(name)}
        onClick={(event) => {
          focusInList(event.currentTarget, kindSelector);
          set([...parts, emptyClause]);
        }}
        style={{ alignSelf: 'flex-start' }}
      >
        {reactions.addPart}
      </Button>
    </Stack>
  );
}

/** Of the first field of a condition that is part of another one. */
const kindMark = { 'data-condition-kind': true } as const;
const kindSelector = ':scope > * [data-condition-kind]';

/** What the form has no fields for. */
export function OnlyAsJson({ value }: { readonly value: unknown }) {
  const { reactions } = useTexts();
  return (
    <Text size="sm">
      {reactions.onlyAsJson} <Code className="wrap-anywhere">{JSON.stringify(value) ?? ''}</Code>
    </Text>
  );
}
