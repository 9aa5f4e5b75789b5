import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DeletedInList } from '../../../../lib/reactions/service-types.ts';
import { deletedReactionsQuery } from '../../api/reactions.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { RestoreButton } from './restore-button.tsx';
import { RulesetButton } from './ruleset-button.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';

/** Reactions that were deleted, the latest first, each with a way back. */
export function DeletedReactions() {
  const { common, reactions: texts } = useTexts();
  const { number, dateTime } = useFormats();
  const { data, error, refetch } = useQuery(deletedReactionsQuery);
  const onRestored = useFocusAfterRemoval(data);
  const columns: readonly Column<DeletedInList>[] = [
    { key: 'title', title: texts.name, width: '36%', cell: ({ id, title }) => title || id },
    { key: 'deleted', title: texts.deletedAt, cell: ({ deleted }) => dateTime(deleted) },
    { key: 'fired', title: texts.fired, align: 'right', noWrap: true, cell: ({ fired }) => number(fired) },
    {
      key: 'actions',
      title: common.actions,
      cell: (each) => (
        <Group gap={4}>
          <RestoreButton reaction={each} onRestored={() => onRestored(each.id)} />
          <RulesetButton reaction={each} />
        </Group>
      ),
    },
  ];
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  if (data.length === 0) return <Text>{texts.noneDeleted}</Text>;
  return (
    <>
      <Text size="sm" maw={800}>
        {texts.deletedText}
      </Text>
      <DataTable
        label={texts.deletedOnes}
        minWidth={640}
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
      />
    </>
  );
}
