import { Badge, Code, Text } from '@mantine/core';
import type { Setting } from '../../api/settings.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function ConfigurationTable({ settings }: { readonly settings: readonly Setting[] }) {
  const { settings: texts } = useTexts();
  const columns: readonly Column<Setting>[] = [
    { key: 'key', title: texts.key, cell: ({ group, key }) => `${group}.${key}` },
    { key: 'value', title: texts.value, width: '30%', cell: (setting) => <Value setting={setting} /> },
    { key: 'origin', title: texts.setBy, cell: (setting) => <Origin setting={setting} /> },
    {
      key: 'variable',
      title: texts.variable,
      cell: ({ env }) => (
        <Text size="xs" ff="monospace">
          {env}
        </Text>
      ),
    },
  ];
  return (
    <DataTable
      label={texts.configuration}
      minWidth={900}
      columns={columns}
      rows={settings}
      keyOf={({ env }) => env}
    />
  );
}

function Origin({ setting }: { readonly setting: Setting }) {
  const { settings: texts } = useTexts();
  if (!setting.default) {
    return (
      <Badge variant="light" tt="none">
        {texts.set}
      </Badge>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      {texts.default}
    </Text>
  );
}

function Value({ setting }: { readonly setting: Setting }) {
  const { settings: texts } = useTexts();
  if ('secret' in setting) return setting.set ? texts.secretSet : texts.secretNotSet;
  const { value } = setting;
  if (value === null) return texts.noValue;
  if (value === '' || (Array.isArray(value) && value.length === 0)) return texts.empty;
  return <Code>{textOf(value)}</Code>;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
