import type { XapiAccess } from '../../api/xapi.ts';
import { NeedsKey } from '../../components/needs-key.tsx';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Details } from './details/details.tsx';
import { FilterBar } from './filter-bar.tsx';
import { mistakesIn } from './filters.ts';
import { LiveList } from './live-list.tsx';
import { PagedList } from './paged-list.tsx';
import { Tools } from './tools.tsx';
import { start, useAddress } from './use-address.ts';
import { usePage } from './use-page.ts';

export function StatementsScreen() {
  const { pages } = useTexts();
  return (
    <Page title={pages.statements}>
      <NeedsKey>{(xapi) => <Browser xapi={xapi} />}</NeedsKey>
    </Page>
  );
}

function Browser({ xapi }: { readonly xapi: XapiAccess }) {
  const address = useAddress();
  const { place, go } = address;
  const { error } = usePage(xapi, place);
  const List = place.live ? LiveList : PagedList;
  return (
    <>
      <FilterBar
        filters={place.filters}
        mistakes={mistakesIn(error)}
        onSearch={(filters) => go({ ...start, live: place.live, filters })}
      >
        <Tools address={address} />
      </FilterBar>
      <List xapi={xapi} address={address} />
      <Details xapi={xapi} address={address} />
    </>
  );
}
