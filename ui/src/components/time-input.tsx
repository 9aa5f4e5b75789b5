import { TextInput } from '@mantine/core';
import { localOf, timestampOf } from '../xapi/local-time.ts';

interface TimeInputProps {
  readonly label: string;
  readonly description?: string;
  /** A timestamp (ISO 8601). */
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Years have four digits, as in timestamps. */
const latest = '9999-12-31T23:59:59';

/** A date and time in the operator's time zone. */
export function TimeInput({ value, onChange, ...field }: TimeInputProps) {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      step={1}
      max={latest}
      value={localOf(value)}
      onChange={(event) => onChange(timestampOf(event.currentTarget.value))}
    />
  );
}
