import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { browseQuery } from '../../api/browse-pages.ts';
import { DetailsDrawer } from '../../components/details-drawer.tsx';
import { Page } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useListAddress } from '../../components/use-list-address.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ActivitiesTable } from './activities-table.tsx';
import { ActivityDetails } from './activity-details.tsx';

/** Every Activity that statements tell of. */
export function ActivitiesScreen() {
  const { pages, activities } = useTexts();
  const address = useListAddress();
  const { filters, from, show } = address.place;
  const page = useQuery(browseQuery('activities', { ...filters, ...(from !== '' && { from }) }));
  return (
    <Page title={pages.activities}>
      <Text size="sm" maw={800}>
        {activities.listed}
      </Text>
      <SearchField
        label={activities.search}
        description={activities.searchHint}
        value={filters.search ?? ''}
        onSearch={(search) => address.filter({ search }, { replace: true })}
      />
      <Switch
        label={activities.onlyObjects}
        checked={filters.role === 'object'}
        onChange={(event) => address.filter({ role: event.currentTarget.checked ? 'object' : '' })}
      />
      <PagedList page={page} address={address} empty={activities.empty}>
        {(entries) => <ActivitiesTable activities={entries} address={address} />}
      </PagedList>
      <DetailsDrawer
        opened={show !== undefined}
        title={show ?? ''}
        onClose={() => address.go({ show: undefined })}
      >
        {show !== undefined && <ActivityDetails id={show} />}
      </DetailsDrawer>
    </Page>
  );
}
