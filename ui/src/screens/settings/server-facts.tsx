import { Stack, Title } from '@mantine/core';
import { factsOf } from '../../../../lib/db/dialects/facts.ts';
import type { Setup } from '../../api/settings.ts';
import { Facts } from '../../components/facts.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** What runs on the server. */
export function ServerFacts({ setup }: { readonly setup: Setup }) {
  const { settings: texts } = useTexts();
  const formats = useFormats();
  const { database } = setup;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {texts.server}
      </Title>
      <Facts
        label={texts.server}
        facts={[
          { name: texts.version, value: setup.version },
          { name: 'Node.js', value: setup.node },
          { name: texts.started, value: formats.dateTime(setup.started) },
          { name: texts.xapiVersions, value: setup['supported-versions'].join(', ') },
          {
            name: texts.database,
            value: `${factsOf(database.engine).title} ${database.version}`,
          },
          { name: texts.size, value: formats.bytes(database.size) },
          { name: texts.schema, value: database.schema },
        ]}
      />
    </Stack>
  );
}
