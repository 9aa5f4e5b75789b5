import { Button, Collapse, Group, Paper, SegmentedControl, Stack } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { FieldsForm } from './fields-form.tsx';
import { type FilterFormProps, selectsOne } from './filters.ts';
import { JsonForm } from './json-form.tsx';
import { OneForm } from './one-form.tsx';

const forms = { fields: FieldsForm, one: OneForm, json: JsonForm };
const kinds = ['fields', 'one', 'json'] as const;

/** The filters that are set, and the forms to change them. */
export function FilterBar({ children, ...form }: FilterFormProps & { readonly children: ReactNode }) {
  const { filters, mistakes } = form;
  const { statements } = useTexts();
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<(typeof kinds)[number]>();
  const kind = chosen ?? (selectsOne(filters) ? 'one' : 'fields');
  const Form = forms[kind];
  const panelId = useId();
  // Mistakes are shown at their field, so the fields have to be there.
  const shown = opened || Object.keys(mistakes).length > 0;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={shown}
          aria-controls={panelId}
          onClick={() => setOpened(!shown)}
        >
          {statements.filter}
        </Button>
        <ActiveFilters filters={filters} onSearch={form.onSearch} />
        <Group gap="xs" ms="auto">
          {children}
        </Group>
      </Group>
      <Collapse expanded={shown} id={panelId} keepMounted={false}>
        <Paper withBorder p="sm">
          <Stack gap="sm">
            <SegmentedControl
              aria-label={statements.filterKind}
              size="xs"
              value={kind}
              onChange={setChosen}
              data={kinds.map((value) => ({ value, label: statements.filterKinds[value] }))}
              style={{ alignSelf: 'flex-start' }}
            />
            <Form {...form} />
          </Stack>
        </Paper>
      </Collapse>
    </Stack>
  );
}
