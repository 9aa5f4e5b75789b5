import { NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import type { StoreSettings } from '../../../../lib/stores/types.ts';
import { fieldError } from '../../components/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';

/** The settings as they are typed; empty: as in the configuration. */
export type SettingsDraft = Readonly<Record<keyof StoreSettings, string>>;

const switches = ['enableReactions', 'enableStrictVersion'] as const;
const numbers = ['stmtGetDefault', 'stmtGetMax'] as const;

/** What the server may say against one of the fields. */
export const settingsMembers = ['authorityUrl', ...switches, ...numbers].map((name) => `settings.${name}`);

export const draftOf = (settings: StoreSettings): SettingsDraft => ({
  authorityUrl: settings.authorityUrl ?? '',
  enableReactions: String(settings.enableReactions ?? ''),
  enableStrictVersion: String(settings.enableStrictVersion ?? ''),
  stmtGetDefault: String(settings.stmtGetDefault ?? ''),
  stmtGetMax: String(settings.stmtGetMax ?? ''),
});

export function settingsOf(draft: SettingsDraft): StoreSettings {
  const chosen = [
    ['authorityUrl', draft.authorityUrl.trim()],
    ...switches.map((name) => [name, draft[name]] as const),
    ...numbers.map((name) => [name, draft[name]] as const),
  ] as const;
  const values = chosen
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name, name === 'authorityUrl' ? text : JSON.parse(text)] as const);
  return Object.fromEntries(values);
}

interface SettingsFieldsProps {
  readonly draft: SettingsDraft;
  readonly error: Error | null;
  readonly onChange: (draft: SettingsDraft) => void;
}

/** What a store has otherwise than the configuration says. */
export function SettingsFields({ draft, error, onChange }: SettingsFieldsProps) {
  const { stores: texts } = useTexts();
  const change = (name: keyof StoreSettings, value: string) => onChange({ ...draft, [name]: value });
  const choices = [
    { value: '', label: texts.asConfigured },
    { value: 'true', label: texts.on },
    { value: 'false', label: texts.off },
  ];
  return (
    <Stack gap="xs">
      <Text size="sm">{texts.settingsText}</Text>
      <TextInput
        label={texts.settings.authorityUrl}
        description={texts.authorityHint}
        placeholder={texts.asConfigured}
        autoComplete="off"
        value={draft.authorityUrl}
        onChange={(event) => change('authorityUrl', event.currentTarget.value)}
        error={fieldError(error, 'settings.authorityUrl')}
      />
      {switches.map((name) => (
        <Select
          key={name}
          label={texts.settings[name]}
          data={choices}
          allowDeselect={false}
          value={draft[name]}
          onChange={(value) => change(name, value ?? '')}
          error={fieldError(error, `settings.${name}`)}
        />
      ))}
      {numbers.map((name) => (
        <NumberInput
          key={name}
          label={texts.settings[name]}
          placeholder={texts.asConfigured}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={draft[name]}
          onChange={(value) => change(name, String(value))}
          error={fieldError(error, `settings.${name}`)}
        />
      ))}
    </Stack>
  );
}
