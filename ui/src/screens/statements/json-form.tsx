import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { type FilterFormProps, type Filters, filtersOfJson, jsonOfFilters } from './filters.ts';
import { FormFrame } from './form-frame.tsx';
import { useDraft } from './use-draft.ts';

/** All parameters as one JSON object. */
export function JsonForm({ filters, mistakes, onSearch }: FilterFormProps) {
  const { statements } = useTexts();
  const [text, setText] = useDraft(filters, jsonOfFilters);
  const [isBroken, setBroken] = useState(false);
  const search = () => {
    const wanted = filtersIn(text);
    setBroken(wanted === undefined);
    if (wanted !== undefined) onSearch(wanted);
  };
  return (
    <FormFrame
      onSubmit={search}
      onClear={() => {
        setText(jsonOfFilters({}));
        onSearch({});
      }}
    >
      <Textarea
        label={statements.query}
        description={statements.queryHint}
        value={text}
        error={isBroken ? statements.noJsonObject : mistakeText(mistakes)}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </FormFrame>
  );
}

function filtersIn(text: string): Filters | undefined {
  try {
    return filtersOfJson(text);
  } catch {
    return undefined;
  }
}

function mistakeText(mistakes: Filters): string | undefined {
  const texts = Object.entries(mistakes).map(([name, message]) => `${name} ${message}`);
  return texts.length === 0 ? undefined : texts.join('; ');
}
