import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { agentIn, identifierText } from '../../xapi/actor.ts';
import { endOfIri } from '../../xapi/names.ts';
import type { Filters } from './filters.ts';

interface ActiveFiltersProps {
  readonly filters: Filters;
  readonly onSearch: (filters: Filters) => void;
}

/** Each filter that is set, as a button that takes it away. */
export function ActiveFilters({ filters, onSearch }: ActiveFiltersProps) {
  const { statements } = useTexts();
  const labels: Readonly<Record<string, string>> = statements.parameters;
  const valueText = useValueText();
  return Object.entries(filters).map(([name, value]) => {
    const text = `${labels[name] ?? name}: ${valueText(name, value)}`;
    const { [name]: _, ...others } = filters;
    return (
      <Button
        key={name}
        variant="light"
        size="compact-sm"
        maw="100%"
        rightSection={<IconX size={14} aria-hidden />}
        aria-label={statements.removeFilter(text)}
        title={value}
        onClick={() => onSearch(others)}
      >
        {text}
      </Button>
    );
  });
}

function useValueText(): (name: string, value: string) => string {
  const { statements } = useTexts();
  const { dateTime } = useFormats();
  const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    format: statements.formats,
    ascending: statements.orders,
  };
  return (name, value) => {
    if (name === 'agent') return identifierText(agentIn(value) ?? {}) ?? value;
    if (name === 'verb') return endOfIri(value);
    if (name === 'since' || name === 'until') return dateTime(value);
    if (name in choices) return choices[name]?.[value] ?? value;
    return value === 'true' ? statements.yes : value;
  };
}
