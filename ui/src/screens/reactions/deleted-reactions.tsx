import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeletedInList } from '../../../../lib/reactions/service-types.ts';
import { deletedReactionsQuery, reactionsQuery, updateReaction } from '../../api/reactions.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Reactions that were deleted, the latest first, each with a way back. */
export function DeletedReactions() {
  const { common, reactions: texts } = useTexts();
  const { number, dateTime } = useFormats();
  const { data, error, refetch } = useQuery(deletedReactionsQuery);
  const columns: readonly Column<DeletedInList>[] = [
    { key: 'title', title: texts.name, width: '36%', cell: ({ id, title }) => title || id },
    { key: 'deleted', title: texts.deletedAt, cell: ({ deleted }) => dateTime(deleted) },
    { key: 'fired', title: texts.fired, align: 'right', noWrap: true, cell: ({ fired }) => number(fired) },
    { key: 'actions', title: common.actions, cell: (each) => <Restore reaction={each} /> },
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

/** Brings a reaction back, paused. */
function Restore({ reaction: { id, title } }: { readonly reaction: DeletedInList }) {
  const { reactions } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => updateReaction(id, { active: false }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: reactionsQuery.queryKey });
      done(reactions.restored(title));
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={isPending}
        aria-label={reactions.workNamed(reactions.restore, title)}
        onClick={() => mutate()}
      >
        {reactions.restore}
      </Button>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
