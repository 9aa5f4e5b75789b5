import { Select } from '@mantine/core';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { SuggestInput } from '../../../components/suggest-input.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { Note } from './notes.ts';
import { noteProps } from './notes-view.tsx';
import { NumberField } from './number-field.tsx';
import { numberOf, UnfinishedValue } from './unfinished-value.ts';
import { useKnownValues } from './use-known-paths.ts';

export const scalarTypes = ['string', 'number', 'boolean', 'null'] as const;
export type ScalarType = (typeof scalarTypes)[number];
export type ScalarValue = string | number | boolean | null | UnfinishedValue;

export function scalarType(value: unknown): ScalarType | undefined {
  if (value === null) return 'null';
  if (value instanceof UnfinishedValue) return value.type;
  return scalarTypes.find((type) => typeof value === type);
}

/** The same value as another type, as far as it can be one. */
export function asScalar(value: unknown, type: ScalarType): ScalarValue {
  switch (type) {
    case 'string':
      if (value instanceof UnfinishedValue) return value.text;
      return scalarType(value) === undefined || value === null ? '' : String(value);
    case 'number':
      if (scalarType(value) === 'number') return value as ScalarValue;
      return (typeof value === 'string' ? numberOf(value) : undefined) ?? new UnfinishedValue('number');
    case 'boolean':
      if (scalarType(value) === 'boolean') return value as ScalarValue;
      return value === 'true' || (value === 'false' ? false : new UnfinishedValue('boolean'));
    case 'null':
      return null;
  }
}

interface ScalarInputProps {
  readonly label: string;
  /** Whether the label is only for those who don't see where the field stands. */
  readonly isInline?: boolean;
  readonly value: unknown;
  readonly type: ScalarType;
  /** Where statements have such values, which are suggested. */
  readonly path: PropertyPath;
  /** What the server says about it. */
  readonly notes: readonly Note[];
  readonly onChange: (value: ScalarValue) => void;
}

/** A field for a value of a type; for null there is nothing to enter. */
export function ScalarInput({
  label,
  isInline = false,
  value,
  type,
  path,
  notes,
  onChange,
}: ScalarInputProps) {
  const { reactions } = useTexts();
  const text = typeof value === 'string' ? value : '';
  const suggestions = useKnownValues(path, text);
  const named = {
    ...(isInline ? ({ 'aria-label': label, size: 'xs' } as const) : { label }),
    ...noteProps(notes),
  };
  switch (type) {
    case 'string':
      return <SuggestInput {...named} value={text} suggestions={suggestions} onChange={onChange} />;
    case 'number':
      return (
        <NumberField {...named} value={value} onChange={onChange} step={path.at(-1) === 'scaled' ? 0.1 : 1} />
      );
    case 'boolean':
      return (
        <Select
          {...named}
          value={typeof value === 'boolean' ? String(value) : null}
          data={[
            { value: 'true', label: reactions.yes },
            { value: 'false', label: reactions.no },
          ]}
          allowDeselect={false}
          onChange={(next) => onChange(next === 'true')}
          {...(value instanceof UnfinishedValue && {
            error: reactions.booleanMissing,
            'data-unfinished': true,
          })}
        />
      );
    case 'null':
      return null;
  }
}
