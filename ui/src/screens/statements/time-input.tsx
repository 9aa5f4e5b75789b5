import { TextInput } from '@mantine/core';

interface TimeInputProps {
  readonly label: string;
  readonly description: string;
  /** A timestamp (ISO 8601). */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A date and time in the operator's time zone. */
export function TimeInput({ value, onChange, ...field }: TimeInputProps) {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      step={1}
      value={localOf(value)}
      onChange={(event) => onChange(isoOf(event.currentTarget.value))}
    />
  );
}

/** The time as the input wants it, to the second; empty for what is no time. */
function localOf(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

function isoOf(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
