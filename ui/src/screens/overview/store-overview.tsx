import { Group, SimpleGrid, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { RefreshButton } from '../../components/refresh-button.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FirstAccountNotice } from './first-account-notice.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Frequencies } from './frequencies.tsx';
import { Numbers } from './numbers.tsx';
import { numbersQuery } from './status.ts';
import { Timeline } from './timeline/timeline.tsx';
import { useRefreshing } from './use-refreshing.ts';

/** The numbers of the store, kept fresh; of an empty one, what to do first. */
export function StoreOverview() {
  const { pages, overview: texts } = useTexts();
  const { isOn, switchTo, refreshing } = useRefreshing();
  const { data, error, refetch, isPending, dataUpdatedAt } = useQuery({ ...numbersQuery, ...refreshing });
  return (
    <Page title={pages.overview} actions={<Freshness {...{ isOn, switchTo, updated: dataUpdatedAt }} />}>
      <FirstAccountNotice />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Waiting />}
      {data !== undefined && (
        <>
          <Numbers numbers={data} refreshing={refreshing} />
          {data['statement-count'] === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <Timeline refreshing={refreshing} />
              <SimpleGrid cols={{ base: 1, lg: 3 }}>
                <Frequencies numbers={data} />
              </SimpleGrid>
              <Text size="sm" c="dimmed">
                {texts.ofAll}
              </Text>
            </>
          )}
        </>
      )}
    </Page>
  );
}

interface FreshnessProps {
  readonly isOn: boolean;
  readonly switchTo: (isOn: boolean) => void;
  /** When the numbers came; 0 before. */
  readonly updated: number;
}

function Freshness({ isOn, switchTo, updated }: FreshnessProps) {
  const { overview: texts } = useTexts();
  const { time } = useFormats();
  const queries = useQueryClient();
  return (
    <Group gap="md">
      {updated > 0 && (
        <Text size="sm" c="dimmed">
          {texts.asOf(time(new Date(updated)))}
        </Text>
      )}
      <Switch
        label={texts.byItself}
        checked={isOn}
        onChange={(event) => switchTo(event.currentTarget.checked)}
      />
      <RefreshButton
        label={texts.refresh}
        onRefresh={() => queries.invalidateQueries({ queryKey: ['status'] })}
      />
    </Group>
  );
}
