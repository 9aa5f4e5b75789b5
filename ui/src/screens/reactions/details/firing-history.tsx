import { Button, Stack, Text, Title } from '@mantine/core';
import type { ShownFiring } from '../../../../../lib/reactions/service-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { MatchedStatements } from '../matched-statements.tsx';
import { StatementAnchor } from '../statement-anchor.tsx';

interface FiringHistoryProps {
  /** Newest first. */
  readonly firings: readonly ShownFiring[];
  readonly isLoading: boolean;
  /** Absent when these are all. */
  readonly onMore: (() => void) | undefined;
}

/** When it fired, because of which statements, and what it made of them. */
export function FiringHistory({ firings, isLoading, onMore }: FiringHistoryProps) {
  const { reactions } = useTexts();
  const { number, dateTime } = useFormats();
  const columns: readonly Column<ShownFiring>[] = [
    { key: 'stored', title: reactions.firedAt, cell: ({ stored }) => dateTime(stored) },
    { key: 'trigger', title: reactions.trigger, cell: ({ triggerId }) => <StatementAnchor id={triggerId} /> },
    {
      key: 'matched',
      title: reactions.matched,
      cell: ({ matched }) => <MatchedStatements matched={matched} />,
    },
    {
      key: 'version',
      title: reactions.firingVersion,
      align: 'right',
      noWrap: true,
      cell: ({ version }) => number(version),
    },
    {
      key: 'result',
      title: reactions.generated,
      cell: ({ statementId }) => <StatementAnchor id={statementId} />,
    },
  ];
  return (
    <Stack gap="xs" component="section" aria-label={reactions.history}>
      <Title order={3} size="h5">
        {reactions.history}
      </Title>
      {firings.length === 0 ? (
        <Text size="sm">{reactions.noFirings}</Text>
      ) : (
        <DataTable
          label={reactions.history}
          minWidth={420}
          columns={columns}
          rows={firings}
          keyOf={({ stored }) => stored}
        />
      )}
      {onMore !== undefined && (
        <Button
          size="xs"
          variant="default"
          loading={isLoading}
          onClick={onMore}
          style={{ alignSelf: 'flex-start' }}
        >
          {reactions.moreFirings}
        </Button>
      )}
    </Stack>
  );
}
