import { Anchor, Text } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { searchOf } from '../../api/address.ts';
import type { KnownAgent } from '../../api/browse.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterCell } from '../../components/filter-cell.tsx';
import type { ListAddress } from '../../components/use-list-address.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { identifierKindOf, identifierText } from '../../xapi/actor.ts';

interface AgentsTableProps {
  readonly agents: readonly KnownAgent[];
  readonly address: ListAddress;
}

export function AgentsTable({ agents, address }: AgentsTableProps) {
  const { pages, agents: texts, xapi } = useTexts();
  const columns: readonly Column<KnownAgent>[] = [
    {
      key: 'identifier',
      title: texts.identifier,
      cell: ({ agent }) => (
        <Anchor component={Link} size="sm" data-row {...address.link({ show: JSON.stringify(agent) })}>
          {identifierText(agent)}
        </Anchor>
      ),
    },
    {
      key: 'kind',
      title: texts.kind,
      cell: ({ agent }) => {
        const kind = identifierKindOf(agent);
        return kind && xapi.identifierKinds[kind];
      },
    },
    {
      key: 'names',
      title: texts.names,
      cell: ({ names }) => names.length > 0 && <NamesOf names={names} />,
    },
    {
      key: 'statements',
      title: texts.statements,
      align: 'right',
      cell: (known) => <StatementsOf known={known} />,
    },
  ];
  return (
    <DataTable
      label={pages.agents}
      minWidth={700}
      columns={columns}
      rows={agents}
      keyOf={({ agent }) => JSON.stringify(agent)}
      opens
    />
  );
}

const shownNames = 3;

function NamesOf({ names }: Pick<KnownAgent, 'names'>) {
  const { agents: texts } = useTexts();
  const others = names.length - shownNames;
  return (
    <>
      {names.slice(0, shownNames).join(', ')}
      {others > 0 && (
        <Text span size="xs" c="dimmed">
          {' '}
          {texts.moreNames(others)}
        </Text>
      )}
    </>
  );
}

function StatementsOf({ known: { agent, statements = 0 } }: { readonly known: KnownAgent }) {
  const { pages } = useTexts();
  const { number } = useFormats();
  const navigate = useNavigate();
  const search = searchOf({ agent: JSON.stringify(agent) });
  return (
    <FilterCell
      name={pages.statements}
      value={identifierText(agent) ?? ''}
      onFilter={() => void navigate({ pathname: '/statements', search })}
    >
      {number(statements)}
    </FilterCell>
  );
}
