import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { scopes as allScopes } from '../../../../lib/xapi/scopes.ts';
import type { Grant } from '../../api/credentials.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { presets } from './presets.ts';

interface PairFormProps {
  readonly initial: Grant;
  /** What the button says that does it. */
  readonly action: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: (grant: Grant) => void;
  readonly onCancel: () => void;
}

/** What can be chosen of a key pair, before and after it exists. */
export function PairForm({ initial, action, isPending, error, onSubmit, onCancel }: PairFormProps) {
  const { common, credentials: texts } = useTexts();
  const form = useForm({ initialValues: { label: initial.label ?? '', scopes: [...initial.scopes] } });
  const chosen = form.values.scopes;
  return (
    <form onSubmit={form.onSubmit(({ label, scopes }) => onSubmit({ label: label.trim() || null, scopes }))}>
      <Stack>
        <TextInput
          label={texts.label}
          description={texts.labelHint}
          autoComplete="off"
          data-autofocus
          maxLength={1000}
          {...form.getInputProps('label')}
        />
        <Group gap="xs" role="group" aria-label={texts.presets}>
          <Text size="sm">{texts.presets}:</Text>
          {Object.entries(presets).map(([name, scopes]) => (
            <Button
              key={name}
              size="compact-xs"
              variant="default"
              onClick={() => form.setFieldValue('scopes', [...scopes])}
            >
              {texts.preset[name as keyof typeof presets]}
            </Button>
          ))}
        </Group>
        <Checkbox.Group label={texts.scopes} {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={texts.scope[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <div role="status">
          {chosen.length === 0 && <Alert color="yellow">{texts.noScopes}</Alert>}
          {chosen.length > 1 && chosen.includes('all') && <Alert>{texts.allIsEnough}</Alert>}
        </div>
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
