import { Button } from '@mantine/core';
import { IconDatabaseExport, IconWaveSawTool } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { RefreshButton } from '../../components/refresh-button.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type Address, start } from './use-address.ts';

/** What can be done with the statements that the filters choose. */
export function Tools({ address: { place, go } }: { readonly address: Address }) {
  const { statements } = useTexts();
  const queries = useQueryClient();
  const { live, filters } = place;
  // An export has no pages.
  const { limit, ...exported } = filters;
  return (
    <>
      {!live && (
        <RefreshButton
          label={statements.refresh}
          onRefresh={() => queries.invalidateQueries({ queryKey: ['statements'] })}
        />
      )}
      <Button
        variant={live ? 'filled' : 'default'}
        size="xs"
        leftSection={<IconWaveSawTool size={16} aria-hidden />}
        aria-pressed={live}
        onClick={() => go({ ...start, live: !live, filters: live ? filters : newestFirst(filters) })}
      >
        {statements.follow}
      </Button>
      <Button
        variant="default"
        size="xs"
        component={Link}
        to={{ pathname: '/export', search: new URLSearchParams(exported).toString() }}
        leftSection={<IconDatabaseExport size={16} aria-hidden />}
      >
        {statements.toExport}
      </Button>
    </>
  );
}

/** New statements come in at the top, and none of them is older than now. */
function newestFirst({
  ascending,
  until,
  statementId,
  voidedStatementId,
  ...others
}: Address['place']['filters']): Address['place']['filters'] {
  return others;
}
