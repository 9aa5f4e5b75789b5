import { Alert, Code, Text } from '@mantine/core';
import { useEnvironment } from '../../api/environment.ts';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { FirstAccountNotice } from './first-account-notice.tsx';
import { StoreOverview } from './store-overview.tsx';

/** What the store holds and what comes in. */
export function OverviewScreen() {
  const { pages, overview: texts } = useTexts();
  if (useEnvironment()['enable-admin-status']) return <StoreOverview />;
  return (
    <Page title={pages.overview}>
      <FirstAccountNotice />
      <Alert title={texts.offTitle}>
        <Text size="sm">
          {texts.offText} <Code>LRS_ENABLE_ADMIN_STATUS=true</Code>
        </Text>
      </Alert>
    </Page>
  );
}
