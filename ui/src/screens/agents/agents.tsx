import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { browseQuery } from '../../api/browse-pages.ts';
import { DetailsDrawer } from '../../components/details-drawer.tsx';
import { Page } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useListAddress } from '../../components/use-list-address.ts';
import { useTexts } from '../../texts/texts.tsx';
import { agentIn, identifierText } from '../../xapi/actor.ts';
import { AgentDetails } from './agent-details.tsx';
import { AgentsTable } from './agents-table.tsx';

/** Everybody that statements and documents know, by identifier. */
export function AgentsScreen() {
  const { pages, agents } = useTexts();
  const address = useListAddress();
  const { filters, from, show } = address.place;
  const page = useQuery(browseQuery('agents', { ...filters, ...(from !== '' && { from }) }));
  const shown = show === undefined ? undefined : agentIn(show);
  return (
    <Page title={pages.agents}>
      <Text size="sm" maw={800}>
        {agents.listed}
      </Text>
      <SearchField
        label={agents.search}
        description={agents.searchHint}
        value={filters.search ?? ''}
        onSearch={(search) => address.filter({ search }, { replace: true })}
      />
      <Switch
        label={agents.onlyActors}
        checked={filters.role === 'actor'}
        onChange={(event) => address.filter({ role: event.currentTarget.checked ? 'actor' : '' })}
      />
      <PagedList page={page} address={address} empty={agents.empty}>
        {(entries) => <AgentsTable agents={entries} address={address} />}
      </PagedList>
      <DetailsDrawer
        opened={shown !== undefined}
        title={(shown && identifierText(shown)) ?? ''}
        onClose={() => address.go({ show: undefined })}
      >
        {shown && <AgentDetails agent={shown} />}
      </DetailsDrawer>
    </Page>
  );
}
