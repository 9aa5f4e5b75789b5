import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { KnownDocument } from '../../api/directory-pages.ts';
import { ScrollTable } from '../../components/scroll-table.tsx';
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
  const { pages, documents: texts } = useTexts();
  const heads = [texts.id, texts.kind, texts.activity, texts.agent, texts.content, texts.updated];
  return (
    <ScrollTable label={pages.documents} minWidth={1040}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {documents.map((each) => (
          <DocumentRow key={textOfName(each)} document={each} address={address} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

interface DocumentRowProps {
  readonly document: KnownDocument;
  readonly address: ListAddress;
}

function DocumentRow({ document, address }: DocumentRowProps) {
  const { documents: texts } = useTexts();
  const { bytes, dateTime } = useFormats();
  const { kind, activityId, agent, contentType, length, updated } = document;
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere" miw={120}>
        <Anchor component={Link} size="sm" {...address.link({ show: textOfName(document) })}>
          {idOf(document)}
        </Anchor>
      </Table.Td>
      <Table.Td miw={110}>{texts.kinds[kind]}</Table.Td>
      <Table.Td className="wrap-anywhere" miw={180}>
        {activityId}
      </Table.Td>
      <Table.Td className="wrap-anywhere" miw={210}>
        {agent && identifierText(agent)}
      </Table.Td>
      <Table.Td className="wrap-anywhere" miw={150}>
        {contentType}
        <Text size="xs" c="dimmed">
          {bytes(length)}
        </Text>
      </Table.Td>
      <Table.Td>{dateTime(updated)}</Table.Td>
    </Table.Tr>
  );
}
