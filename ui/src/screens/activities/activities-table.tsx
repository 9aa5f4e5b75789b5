import { Anchor } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { searchOf } from '../../api/address.ts';
import type { KnownActivity } from '../../api/browse-pages.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterCell } from '../../components/filter-cell.tsx';
import type { ListAddress } from '../../components/use-list-address.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useNames } from '../../texts/use-names.ts';
import { endOfIri } from '../../xapi/names.ts';

interface ActivitiesTableProps {
  readonly activities: readonly KnownActivity[];
  readonly address: ListAddress;
}

export function ActivitiesTable({ activities, address }: ActivitiesTableProps) {
  const { pages, activities: texts } = useTexts();
  const names = useNames();
  const { number } = useFormats();
  const navigate = useNavigate();
  const columns: readonly Column<KnownActivity>[] = [
    {
      key: 'id',
      title: texts.id,
      cell: ({ id }) => (
        <Anchor component={Link} size="sm" data-row {...address.link({ show: id })}>
          {id}
        </Anchor>
      ),
    },
    { key: 'name', title: texts.name, cell: ({ definition }) => names.text(definition?.name) },
    {
      key: 'type',
      title: texts.type,
      cell: ({ definition }) => definition?.type !== undefined && endOfIri(definition.type),
    },
    {
      key: 'statements',
      title: texts.statements,
      align: 'right',
      cell: ({ id, statements = 0 }) => (
        <FilterCell
          name={pages.statements}
          value={id}
          onFilter={() => void navigate({ pathname: '/statements', search: searchOf({ activity: id }) })}
        >
          {number(statements)}
        </FilterCell>
      ),
    },
  ];
  return (
    <DataTable
      label={pages.activities}
      minWidth={700}
      columns={columns}
      rows={activities}
      keyOf={({ id }) => id}
      opens
    />
  );
}
