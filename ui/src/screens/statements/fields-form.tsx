import { Checkbox, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useEnvironment } from '../../api/environment.ts';
import { AgentPicker } from '../../components/agent-picker.tsx';
import { SuggestInput } from '../../components/suggest-input.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type FilterFormProps, type Filters, setFilters, usualLimit } from './filters.ts';
import { FormFrame } from './form-frame.tsx';
import { useActivitySuggestions, useVerbSuggestions } from './suggestions.ts';
import { useDraft } from './use-draft.ts';

/** A field for each parameter that can stand beside others. */
export function FieldsForm({ filters, mistakes, hasPages = true, onSearch }: FilterFormProps) {
  const { statements } = useTexts();
  const [draft, setDraft] = useDraft(filters, fieldsOf);
  /** What a field for the parameter needs. */
  const field = (name: keyof typeof statements.parameters) => ({
    label: statements.parameters[name],
    value: draft[name] ?? '',
    error: mistakes[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <FormFrame
      onSubmit={() => onSearch(setFilters(draft))}
      onClear={() => {
        setDraft({});
        onSearch({});
      }}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm" verticalSpacing="xs">
        <VerbAndActivity field={field} />
        <AgentPicker {...field('agent')} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm" verticalSpacing="xs">
        <TimeInput {...field('since')} description={statements.sinceHint} />
        <TimeInput {...field('until')} description={statements.untilHint} />
        <RegistrationInput {...field('registration')} />
        <Choice {...field('format')} data={statements.formats} usual="exact" />
        <Choice {...field('ascending')} data={statements.orders} usual="false" />
        {hasPages && <LimitChoice {...field('limit')} />}
      </SimpleGrid>
      <Group gap="lg">
        <Related {...field('related_agents')} />
        <Related {...field('related_activities')} />
      </Group>
    </FormFrame>
  );
}

/** All but those that ask for one statement, beside which the server permits no other. */
function fieldsOf({ statementId, voidedStatementId, ...others }: Filters): Filters {
  return others;
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function VerbAndActivity({ field }: { readonly field: (name: 'verb' | 'activity') => FieldProps }) {
  const { statements } = useTexts();
  const verb = field('verb');
  const activity = field('activity');
  return (
    <Stack gap="xs">
      <SuggestInput {...verb} suggestions={useVerbSuggestions(verb.value)} placeholder={statements.iri} />
      <SuggestInput
        {...activity}
        suggestions={useActivitySuggestions(activity.value)}
        placeholder={statements.iri}
      />
    </Stack>
  );
}

function RegistrationInput({ onChange, ...field }: FieldProps) {
  const { statements } = useTexts();
  return (
    <TextInput
      {...field}
      description={statements.registrationHint}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps extends FieldProps {
  readonly data: Readonly<Record<string, string>>;
  /** What counts when nothing is chosen; it stays out of the address. */
  readonly usual: string;
}

function Choice({ value, data, usual, onChange, ...field }: ChoiceProps) {
  return (
    <Select
      {...field}
      allowDeselect={false}
      value={value || usual}
      // What the address says is shown, even if the server refuses it.
      data={Object.entries({ ...(value !== '' && { [value]: value }), ...data }).map(([each, label]) => ({
        value: each,
        label,
      }))}
      onChange={(chosen) => onChange(chosen === null || chosen === usual ? '' : chosen)}
    />
  );
}

function LimitChoice(field: FieldProps) {
  const most = useEnvironment()['stmt-get-max'];
  const sizes = [10, 25, 50, 100, 250, 500].filter((size) => size <= most);
  return (
    <Choice
      {...field}
      data={Object.fromEntries(sizes.map((size) => [size, String(size)]))}
      usual={usualLimit}
    />
  );
}

function Related({ label, value, error, onChange }: FieldProps) {
  return (
    <Checkbox
      label={label}
      error={error}
      checked={value === 'true'}
      onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
    />
  );
}
