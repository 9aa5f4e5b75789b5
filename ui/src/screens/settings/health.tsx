import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { healthQuery, readinessQuery } from '../../api/settings.ts';
import { Facts } from '../../components/facts.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Whether the server is up and can serve, asked again by itself. */
export function Health() {
  const { settings: texts } = useTexts();
  const health = useQuery(healthQuery);
  const readiness = useQuery(readinessQuery);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {texts.health}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          loading={health.isFetching || readiness.isFetching}
          onClick={() => {
            void health.refetch();
            void readiness.refetch();
          }}
        >
          {texts.checkAgain}
        </Button>
      </Group>
      <div role="status">
        <Facts
          label={texts.health}
          facts={[
            { name: texts.isUp, value: <Check check={health} /> },
            { name: texts.isReady, value: <Check check={readiness} /> },
          ]}
        />
      </div>
    </Stack>
  );
}

function Check({ check }: { readonly check: UseQueryResult<Date> }) {
  const { settings: texts } = useTexts();
  const formats = useFormats();
  if (check.isPending) return texts.asking;
  if (check.error !== null) {
    return (
      <Group gap="xs">
        <Badge color="red" variant="light" tt="none">
          {texts.no}
        </Badge>
        <Text size="sm">{check.error.message}</Text>
      </Group>
    );
  }
  return (
    <Group gap="xs">
      <Badge variant="light" tt="none">
        {texts.yes}
      </Badge>
      <Text size="sm" c="dimmed" aria-hidden>
        {texts.askedAt(formats.dateTime(check.data))}
      </Text>
    </Group>
  );
}
