import { Badge, Code, Table, Text } from '@mantine/core';
import type { Setting } from '../../api/settings.ts';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function ConfigurationTable({ settings }: { readonly settings: readonly Setting[] }) {
  const { settings: texts } = useTexts();
  const heads = [texts.group, texts.key, texts.value, texts.setBy, texts.variable];
  return (
    <ScrollTable label={texts.configuration} minWidth={900}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {settings.map((setting) => (
          <Table.Tr key={setting.env}>
            <Table.Td>{setting.group}</Table.Td>
            <Table.Td>{setting.key}</Table.Td>
            <Table.Td className="wrap-anywhere" maw={360}>
              <Value setting={setting} />
            </Table.Td>
            <Table.Td>
              {setting.default ? (
                <Text size="sm" c="dimmed">
                  {texts.default}
                </Text>
              ) : (
                <Badge variant="light" tt="none">
                  {texts.set}
                </Badge>
              )}
            </Table.Td>
            <Table.Td>
              <Text size="xs" ff="monospace">
                {setting.env}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
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
