import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { setupQuery } from '../../api/settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ApiDescription } from './api-description.tsx';
import { Configuration } from './configuration.tsx';
import { Health } from './health.tsx';
import { ServerFacts } from './server-facts.tsx';

/** What runs here, how it is, and how it is set up. */
export function SettingsScreen() {
  const { pages } = useTexts();
  const { data: setup, error, refetch } = useQuery(setupQuery);
  return (
    <Page title={pages.settings}>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {setup === undefined && error === null && <Waiting />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        {setup !== undefined && <ServerFacts setup={setup} />}
        <Health />
      </SimpleGrid>
      {setup !== undefined && <Configuration settings={setup.settings} />}
      <ApiDescription />
    </Page>
  );
}
