import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { auditQuery } from '../../api/audit.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { RefreshButton } from '../../components/refresh-button.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { AuditFilter, filtersOf } from './audit-filter.tsx';
import { AuditTable } from './audit-table.tsx';

/** What operators did, newest first; older entries are added below on demand. */
export function AuditScreen() {
  const { pages, audit: texts } = useTexts();
  const [search] = useSearchParams();
  const filters = filtersOf(search);
  const trail = useInfiniteQuery(auditQuery(filters));
  const events = trail.data?.pages.flatMap((page) => page.events) ?? [];
  const refresh = <RefreshButton label={texts.refresh} size="sm" onRefresh={() => trail.refetch()} />;
  return (
    <Page title={pages.audit} actions={refresh}>
      <Text size="sm" maw={800}>
        {texts.intro}
      </Text>
      <AuditFilter filters={filters} />
      {trail.isPending && <Waiting />}
      {trail.data !== undefined && <AuditTable events={events} />}
      {trail.error !== null && <ErrorNotice error={trail.error} onRetry={() => void trail.refetch()} />}
      {trail.data !== undefined && (
        <Group>
          <Text size="sm" role="status">
            {texts.shown(events.length)}
          </Text>
          {trail.hasNextPage && (
            <Button
              variant="default"
              loading={trail.isFetchingNextPage}
              onClick={() => void trail.fetchNextPage()}
            >
              {texts.older}
            </Button>
          )}
        </Group>
      )}
    </Page>
  );
}
