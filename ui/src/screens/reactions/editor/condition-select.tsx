import { Select } from '@mantine/core';
import { useTexts } from '../../../texts/texts.tsx';
import { useConditionNames } from './editing.ts';

interface ConditionSelectProps {
  /** What the ruleset has as the name of a condition. */
  readonly value: unknown;
  readonly onChange: (name: string) => void;
}

/** One of the conditions, for the statement that it matches. A name that no condition has is shown, too. */
export function ConditionSelect({ value, onChange }: ConditionSelectProps) {
  const { reactions } = useTexts();
  const names = useConditionNames();
  const name = typeof value === 'string' ? value : '';
  return (
    <Select
      label={reactions.statementOf}
      value={name}
      data={[...new Set([...names, ...(name === '' ? [] : [name])])]}
      allowDeselect={false}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      error={name !== '' && !names.includes(name) ? reactions.noSuchCondition : undefined}
      maw={{ sm: 180 }}
    />
  );
}
