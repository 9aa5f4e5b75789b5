import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface SearchFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Called after a pause in typing. */
  readonly onSearch: (text: string) => void;
}

const pause = 300;
/** What the server takes. */
const longest = 200;

/** Searches while somebody types. */
export function SearchField({ label, description, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState<string>();
  // The value also changes from outside, such as on the way back; only what was sent from here must not undo what is typed since.
  if (value !== known) {
    setKnown(value);
    if (value === sent) setSent(undefined);
    else setText(value);
  }
  const search = useDebouncedCallback((wanted: string) => {
    if (wanted === value) return;
    setSent(wanted);
    onSearch(wanted);
  }, pause);
  return (
    <TextInput
      type="search"
      label={label}
      description={description}
      value={text}
      maxLength={longest}
      leftSection={<IconSearch size={16} aria-hidden />}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
