import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { KnownAgent } from '../../api/directory.ts';
import { ScrollTable } from '../../components/scroll-table.tsx';
import type { ListAddress } from '../../components/use-list-address.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { identifierKindOf, identifierText } from '../../xapi/actor.ts';

interface AgentsTableProps {
  readonly agents: readonly KnownAgent[];
  readonly address: ListAddress;
}

export function AgentsTable({ agents, address }: AgentsTableProps) {
  const { pages, agents: texts } = useTexts();
  return (
    <ScrollTable label={pages.agents} minWidth={700}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{texts.identifier}</Table.Th>
          <Table.Th scope="col">{texts.kind}</Table.Th>
          <Table.Th scope="col">{texts.names}</Table.Th>
          <Table.Th scope="col" ta="right">
            {texts.statements}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {agents.map((each) => (
          <AgentRow key={JSON.stringify(each.agent)} known={each} address={address} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

const shownNames = 3;

function AgentRow({ known, address }: { readonly known: KnownAgent; readonly address: ListAddress }) {
  const { xapi, agents: texts } = useTexts();
  const { number } = useFormats();
  const { agent, names, statements = 0 } = known;
  const kind = identifierKindOf(agent);
  const others = names.length - shownNames;
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere">
        <Anchor component={Link} size="sm" {...address.link({ show: JSON.stringify(agent) })}>
          {identifierText(agent)}
        </Anchor>
      </Table.Td>
      <Table.Td>{kind && xapi.identifierKinds[kind]}</Table.Td>
      <Table.Td className="wrap-anywhere">
        {names.slice(0, shownNames).join(', ')}
        {others > 0 && (
          <Text span size="xs" c="dimmed">
            {' '}
            {texts.moreNames(others)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{number(statements)}</Table.Td>
    </Table.Tr>
  );
}
