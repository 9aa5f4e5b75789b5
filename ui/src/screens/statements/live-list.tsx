import { Box, Stack } from '@mantine/core';
import { useRef } from 'react';
import { Waiting } from '../../components/waiting.tsx';
import type { ListProps } from './list-props.ts';
import { LiveBar } from './live-bar.tsx';
import { RowKeys } from './row-keys.tsx';
import { StatementTable } from './statement-table.tsx';
import { useLiveTail } from './use-live-tail.ts';

/** The newest statements, while they come in. */
export function LiveList({ xapi, address }: ListProps) {
  const live = useLiveTail(xapi, address.place.filters);
  const table = useRef<HTMLDivElement>(null);
  const { tail, error } = live;
  return (
    <Stack gap="sm">
      <LiveBar live={live} table={table} />
      {tail === undefined && error === null && <Waiting />}
      {tail !== undefined && (
        <Box ref={table}>
          <RowKeys page="live" hasRows={tail.statements.length > 0} onNext={undefined} onPrevious={undefined}>
            {tail.statements.length > 0 && <StatementTable statements={tail.statements} address={address} />}
          </RowKeys>
        </Box>
      )}
    </Stack>
  );
}
