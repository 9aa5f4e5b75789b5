import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { KnownDocument } from '../../api/browse-pages.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterCell } from '../../components/filter-cell.tsx';
import type { ListAddress } from '../../components/use-list-address.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { identifierText } from '../../xapi/actor.ts';
import { idOf, textOfName } from './document-name.ts';

interface DocumentsTableProps {
  readonly documents: readonly KnownDocument[];
  readonly address: ListAddress;
}

export function DocumentsTable({ documents, address }: DocumentsTableProps) {
  const { pages } = useTexts();
  return (
    <DataTable
      label={pages.documents}
      minWidth={1000}
      columns={useColumns(address)}
      rows={documents}
      keyOf={textOfName}
      opens
    />
  );
}

function useColumns(address: ListAddress): readonly Column<KnownDocument>[] {
  const { documents: texts } = useTexts();
  const { bytes, dateTime } = useFormats();
  /** The value of a cell with the button that filters by it. */
  const filtered = (name: string, value: string | undefined, filters: Readonly<Record<string, string>>) =>
    value !== undefined && (
      <FilterCell name={name} value={value} onFilter={() => address.filter(filters)}>
        {value}
      </FilterCell>
    );
  return [
    {
      key: 'id',
      title: texts.id,
      width: 130,
      cell: (document) => (
        <Anchor component={Link} size="sm" data-row {...address.link({ show: textOfName(document) })}>
          {idOf(document)}
        </Anchor>
      ),
    },
    {
      key: 'kind',
      title: texts.kind,
      width: 140,
      cell: ({ kind }) => filtered(texts.kind, texts.kinds[kind], { kind }),
    },
    {
      key: 'activity',
      title: texts.activity,
      cell: ({ activityId }) => filtered(texts.activity, activityId, { activityId: activityId ?? '' }),
    },
    {
      key: 'agent',
      title: texts.agent,
      width: 230,
      cell: ({ agent }) =>
        agent && filtered(texts.agent, identifierText(agent), { agent: JSON.stringify(agent) }),
    },
    {
      key: 'content',
      title: texts.content,
      width: 160,
      cell: ({ contentType, length }) => (
        <>
          {contentType}
          <Text size="xs" c="dimmed">
            {bytes(length)}
          </Text>
        </>
      ),
    },
    { key: 'updated', title: texts.updated, noWrap: true, cell: ({ updated }) => dateTime(updated) },
  ];
}
