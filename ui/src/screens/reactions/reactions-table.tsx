import { Badge, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactionInList, ShownReaction } from '../../../../lib/reactions/service-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { IconAction } from '../../components/icon-action.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ActivationButton } from './activation-button.tsx';
import { DeleteReaction } from './delete-reaction.tsx';
import { FailureView } from './failure-view.tsx';
import { needsRepair } from './needs-repair.ts';
import { StateBadge } from './state-badge.tsx';
import type { OnResumed } from './use-activation.ts';
import type { Places } from './use-places.ts';

interface ReactionsTableProps {
  readonly reactions: readonly ReactionInList[];
  readonly places: Places;
  readonly onResumed: OnResumed;
  /** Told of the id of a reaction that is deleted. */
  readonly onDeleted: (id: string) => void;
}

/** Every reaction: whether it works, how often it did, and what is wrong with it. */
export function ReactionsTable({ reactions, places, onResumed, onDeleted }: ReactionsTableProps) {
  const { common, pages, reactions: texts } = useTexts();
  const { number, dateTime } = useFormats();
  const [deleted, setDeleted] = useState<ShownReaction>();
  const columns: readonly Column<ReactionInList>[] = [
    {
      key: 'title',
      title: texts.name,
      width: '24%',
      cell: ({ id, title }) => <Title title={title} onClick={() => places.open(id)} />,
    },
    { key: 'state', title: texts.state, width: '24%', cell: (each) => <State reaction={each} /> },
    { key: 'fired', title: texts.fired, align: 'right', noWrap: true, cell: ({ fired }) => number(fired) },
    {
      key: 'failed',
      title: texts.failed,
      align: 'right',
      noWrap: true,
      cell: ({ failed }) => <Failed count={failed} />,
    },
    {
      key: 'last',
      title: texts.lastFired,
      noWrap: true,
      cell: ({ lastFired }) => (lastFired === null ? texts.never : dateTime(lastFired)),
    },
    {
      key: 'actions',
      title: common.actions,
      cell: (each) => (
        <Actions
          reaction={each}
          onResumed={onResumed}
          onEdit={() => places.edit(each.id)}
          onDelete={() => setDeleted(each)}
        />
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={pages.reactions}
        minWidth={860}
        columns={columns}
        rows={reactions}
        keyOf={({ id }) => id}
        opens
      />
      {deleted !== undefined && (
        <DeleteReaction
          reaction={deleted}
          onDeleted={() => onDeleted(deleted.id)}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}

function Title({ title, onClick }: { readonly title: string; readonly onClick: () => void }) {
  return (
    <UnstyledButton fz="sm" fw={600} c="var(--mantine-color-anchor)" mih={24} data-row onClick={onClick}>
      {title}
    </UnstyledButton>
  );
}

interface ReactionProps {
  readonly reaction: ShownReaction;
}

function State({ reaction }: { readonly reaction: ReactionInList }) {
  return (
    <Stack gap={4} align="flex-start">
      <Group gap={4}>
        <StateBadge reaction={reaction} />
        <Marks reaction={reaction} />
      </Group>
      {reaction.error !== null && <FailureView error={reaction.error} />}
    </Stack>
  );
}

/** What its page explains. */
function Marks({ reaction: { slow, warnings = [] } }: { readonly reaction: ReactionInList }) {
  const { reactions } = useTexts();
  const marks = [
    ...(slow ? [reactions.isSlow] : []),
    ...(warnings.length > 0 ? [reactions.warningCount(warnings.length)] : []),
  ];
  return marks.map((mark) => (
    <Badge key={mark} variant="light" tt="none" color="yellow">
      {mark}
    </Badge>
  ));
}

function Failed({ count }: { readonly count: number }) {
  const { number } = useFormats();
  return (
    <Text size="sm" {...(count > 0 && { c: 'var(--mantine-color-error)' })}>
      {number(count)}
    </Text>
  );
}

interface ActionsProps extends ReactionProps {
  readonly onResumed: OnResumed;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function Actions({ reaction, onResumed, onEdit, onDelete }: ActionsProps) {
  const { reactions } = useTexts();
  const isFaulty = needsRepair(reaction);
  return (
    <Group gap={4} wrap={isFaulty ? 'wrap' : 'nowrap'}>
      {isFaulty && (
        <Button
          size="compact-sm"
          leftSection={<IconPencil size={14} aria-hidden />}
          aria-label={reactions.workNamed(reactions.editRuleset, reaction.title)}
          onClick={onEdit}
        >
          {reactions.editRuleset}
        </Button>
      )}
      <ActivationButton reaction={reaction} onResumed={onResumed} />
      <Group gap={4} wrap="nowrap">
        {!isFaulty && (
          <IconAction label={reactions.editNamed(reaction.title)} Icon={IconPencil} onClick={onEdit} />
        )}
        <IconAction label={reactions.deleteNamed(reaction.title)} Icon={IconTrash} onClick={onDelete} />
      </Group>
    </Group>
  );
}
