import { type MantineSize, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { isRefused, numberOf, UnfinishedValue } from './unfinished-value.ts';

interface NumberFieldProps
  extends Pick<
    TextInputProps,
    'error' | 'errorProps' | 'description' | 'descriptionProps' | 'inputWrapperOrder'
  > {
  readonly label?: string;
  /** In place of a label that is seen. */
  readonly 'aria-label'?: string;
  readonly size?: MantineSize;
  readonly value: unknown;
  /** By how much the arrow keys change it. */
  readonly step: number;
  readonly onChange: (value: number | UnfinishedValue) => void;
}

/** A number as somebody types it, such as `1e3` or `0,8`. What is no number stays in the field, and is said to be none. */
export function NumberField({ value, step, onChange, ...named }: NumberFieldProps) {
  const { reactions } = useTexts();
  const [typed, setTyped] = useState<string>();
  // The ruleset leads; what is typed only keeps another form of the same number.
  const isSame = typed !== undefined && numberOf(typed) === value;
  const text = value instanceof UnfinishedValue ? value.text : isSame ? typed : textOf(value);
  const change = (next: string) => {
    setTyped(next);
    onChange(numberOf(next) ?? new UnfinishedValue('number', next));
  };
  const mistake = isRefused(text) ? reactions.numberRefused : reactions.numberMissing;
  return (
    <TextInput
      {...named}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setTyped(undefined)}
      onKeyDown={(event) => {
        const by = { ArrowUp: step, ArrowDown: -step }[event.key];
        const number = numberOf(text);
        if (by === undefined || number === undefined) return;
        event.preventDefault();
        // Sums such as 0.1 + 0.2 have digits that nobody means.
        change(String(Number((number + by).toPrecision(15))));
      }}
      {...(value instanceof UnfinishedValue && { error: mistake, 'data-unfinished': true })}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}
