import { Group, NumberInput, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';

interface RowLimitProps {
  /** Digits; empty for all. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The most rows of the export. It counts when the field is left, not with every digit. */
export function RowLimit({ value, onChange }: RowLimitProps) {
  const { export: texts } = useTexts();
  const id = useId();
  const [draft, setDraft] = useState(value);
  const commit = () => draft !== value && onChange(draft);
  return (
    <Group gap="xs" wrap="nowrap">
      <Text component="label" htmlFor={id} size="sm">
        {texts.mostRows}
      </Text>
      <NumberInput
        id={id}
        placeholder={texts.allRows}
        size="xs"
        w={120}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={draft}
        onChange={(rows) => setDraft(String(rows))}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Group>
  );
}
