import { useQuery } from '@tanstack/react-query';
import { browseQuery } from '../../api/browse-pages.ts';
import { DetailsDrawer } from '../../components/details-drawer.tsx';
import { Page } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { useListAddress } from '../../components/use-list-address.ts';
import { useTexts } from '../../texts/texts.tsx';
import { DocumentDetails } from './document-details.tsx';
import { DocumentFilters } from './document-filters.tsx';
import { idOf, nameIn } from './document-name.ts';
import { DocumentsTable } from './documents-table.tsx';

/** The documents of the state and profile resources. */
export function DocumentsScreen() {
  const { pages, documents } = useTexts();
  const address = useListAddress();
  const { filters, from, show } = address.place;
  const page = useQuery(browseQuery('documents', { ...filters, ...(from !== '' && { from }) }));
  const shown = show === undefined ? undefined : nameIn(show);
  const close = () => address.go({ show: undefined });
  return (
    <Page title={pages.documents}>
      <DocumentFilters address={address} />
      <PagedList page={page} address={address} empty={documents.empty}>
        {(entries) => <DocumentsTable documents={entries} address={address} />}
      </PagedList>
      <DetailsDrawer
        opened={shown !== undefined}
        title={shown === undefined ? '' : `${documents.kinds[shown.kind]}: ${idOf(shown)}`}
        onClose={close}
      >
        {shown && <DocumentDetails key={show} name={shown} onDeleted={close} />}
      </DetailsDrawer>
    </Page>
  );
}
