import { Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Setting } from '../../api/settings.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ConfigurationTable } from './configuration-table.tsx';

/** The configuration that is in effect, without its secrets. */
export function Configuration({ settings }: { readonly settings: readonly Setting[] }) {
  const { settings: texts } = useTexts();
  const [search, setSearch] = useState('');
  const [onlyDiffering, setOnlyDiffering] = useState(false);
  const wanted = search.trim().toLowerCase();
  const found = settings.filter(
    (setting) =>
      (!onlyDiffering || !setting.default) &&
      [setting.group, setting.key, setting.env].some((name) => name.toLowerCase().includes(wanted)),
  );
  return (
    <Stack>
      <Title order={2} size="h4">
        {texts.configuration}
      </Title>
      <Text size="sm">{texts.configurationText}</Text>
      <Group align="end">
        <TextInput
          type="search"
          label={texts.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          w={360}
          maw="100%"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Switch
          label={texts.onlyDiffering}
          checked={onlyDiffering}
          onChange={(event) => setOnlyDiffering(event.currentTarget.checked)}
          mb={8}
        />
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {texts.count(found.length, settings.length)}
      </Text>
      {found.length > 0 && <ConfigurationTable settings={found} />}
    </Stack>
  );
}
