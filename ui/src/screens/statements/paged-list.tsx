import { Box, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '../../api/errors.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { useListTop } from '../../components/use-list-top.ts';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { chooses } from './filters.ts';
import type { ListProps } from './list-props.ts';
import { RowKeys } from './row-keys.tsx';
import { StatementTable } from './statement-table.tsx';
import { type Address, start } from './use-address.ts';
import { usePage } from './use-page.ts';

/** A page of statements, and the way to the others. */
export function PagedList({ xapi, address }: ListProps) {
  const { data, error, isPending, isPlaceholderData, refetch } = usePage(xapi, address.place);
  const list = useListTop(isPending || isPlaceholderData ? undefined : address.place.from);
  if (error !== null) {
    return (
      <Stack>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        <OtherKind error={error} address={address} />
      </Stack>
    );
  }
  if (isPending) return <Waiting />;
  const turns = turnsOf(address, isPlaceholderData ? undefined : data.next);
  return (
    <Stack ref={list} gap="sm" className="below-header">
      <RowKeys
        page={isPlaceholderData ? '' : address.place.from}
        hasRows={data.statements.length > 0}
        {...turns}
      >
        <Box aria-busy={isPlaceholderData} opacity={isPlaceholderData ? 0.6 : 1}>
          {data.statements.length > 0 ? (
            <StatementTable statements={data.statements} address={address} />
          ) : (
            <Empty place={address.place} hasMore={data.next !== undefined} />
          )}
        </Box>
      </RowKeys>
      <Pager page={pageOf(address)} {...turns} isLoading={isPlaceholderData} />
    </Stack>
  );
}

/** The first page, whose number is known, or one that was reached from there. */
function pageOf({ place: { from, trail } }: Address): number | undefined {
  const isCounted = from === '' || trail[0] === '';
  return isCounted ? trail.length + 1 : undefined;
}

function turnsOf({ place, go }: Address, next: string | undefined) {
  const { from, trail } = place;
  const previous = trail.at(-1);
  return {
    onFirst: from === '' ? undefined : () => go({ from: '', trail: [] }),
    onPrevious: previous === undefined ? undefined : () => go({ from: previous, trail: trail.slice(0, -1) }),
    onNext: next === undefined ? undefined : () => go({ from: next, trail: [...trail, from] }),
  };
}

/** A page may be empty although others follow: the server looks through a stretch of the store at a time. */
function Empty({ place, hasMore }: { readonly place: Address['place']; readonly hasMore: boolean }) {
  const { statements, lists } = useTexts();
  const text = chooses(place.filters) ? statements.noMatch : statements.empty;
  return (
    <Text c="dimmed" role="status">
      {hasMore ? statements.emptyStretch : place.from === '' ? text : lists.noMore}
    </Text>
  );
}

/** Who looks for a statement by its id may not know that it was voided. */
function OtherKind({ error, address: { place, go } }: { readonly error: Error; readonly address: Address }) {
  const { statements } = useTexts();
  const { statementId } = place.filters;
  if (!(error instanceof ApiError) || error.status !== 404 || statementId === undefined) return null;
  return (
    <Button
      variant="default"
      size="xs"
      style={{ alignSelf: 'flex-start' }}
      onClick={() => go({ ...start, filters: { voidedStatementId: statementId } })}
    >
      {statements.lookVoided}
    </Button>
  );
}
