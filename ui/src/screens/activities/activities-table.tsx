import { Anchor, Table } from '@mantine/core';
import { Link } from 'react-router';
import type { KnownActivity } from '../../api/directory-pages.ts';
import { ScrollTable } from '../../components/scroll-table.tsx';
import type { ListAddress } from '../../components/use-list-address.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { endOfIri } from '../../xapi/names.ts';
import { useNames } from '../../xapi/use-names.ts';

interface ActivitiesTableProps {
  readonly activities: readonly KnownActivity[];
  readonly address: ListAddress;
}

export function ActivitiesTable({ activities, address }: ActivitiesTableProps) {
  const { pages, activities: texts } = useTexts();
  const names = useNames();
  const { number } = useFormats();
  return (
    <ScrollTable label={pages.activities} minWidth={700}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{texts.id}</Table.Th>
          <Table.Th scope="col">{texts.name}</Table.Th>
          <Table.Th scope="col">{texts.type}</Table.Th>
          <Table.Th scope="col" ta="right">
            {texts.statements}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {activities.map(({ id, definition, statements = 0 }) => (
          <Table.Tr key={id}>
            <Table.Td className="wrap-anywhere">
              <Anchor component={Link} size="sm" {...address.link({ show: id })}>
                {id}
              </Anchor>
            </Table.Td>
            <Table.Td className="wrap-anywhere">{names.text(definition?.name)}</Table.Td>
            <Table.Td className="wrap-anywhere">
              {definition?.type !== undefined && endOfIri(definition.type)}
            </Table.Td>
            <Table.Td ta="right">{number(statements)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}
