import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { momentOf } from '../../xapi/moment.ts';
import { useNames } from '../../xapi/use-names.ts';
import type { StoredStatement } from './queries.ts';
import { useResultText } from './result-text.ts';
import type { Address } from './use-address.ts';

interface StatementTableProps {
  readonly statements: readonly StoredStatement[];
  readonly link: Address['link'];
}

/** The statements of a page, each with the link to its details. */
export function StatementTable({ statements, link }: StatementTableProps) {
  const { pages, statements: texts } = useTexts();
  return (
    <ScrollTable label={pages.statements} minWidth={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={190}>
            {texts.stored}
          </Table.Th>
          <Table.Th scope="col" w="20%">
            {texts.actor}
          </Table.Th>
          <Table.Th scope="col" w="15%">
            {texts.verb}
          </Table.Th>
          <Table.Th scope="col">{texts.object}</Table.Th>
          <Table.Th scope="col" w="22%">
            {texts.result}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {statements.map((statement) => (
          <Row key={statement.id} statement={statement} link={link} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

/** What is later than this many milliseconds after it happened shows both times. */
const noticeable = 60_000;

function Row({ statement, link }: { readonly statement: StoredStatement; readonly link: Address['link'] }) {
  const { statements: texts } = useTexts();
  const { dateTime } = useFormats();
  const names = useNames();
  const resultText = useResultText();
  const { id, actor, verb, object, result, stored, timestamp = stored } = statement;
  const isLate = Math.abs(momentOf(stored) - momentOf(timestamp)) > noticeable;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Anchor component={Link} {...link({ show: id })} size="sm" data-row>
          {dateTime(stored)}
        </Anchor>
        {isLate && (
          <Text size="xs" c="dimmed">
            {texts.happened(dateTime(timestamp))}
          </Text>
        )}
      </Table.Td>
      <Cell text={names.actor(actor)} />
      <Cell text={names.verb(verb)} />
      <Table.Td className="wrap-anywhere">
        <Text size="sm" span lineClamp={2} title={names.object(object)}>
          {names.object(object)}
        </Text>
        {object.objectType === 'SubStatement' && (
          <Badge size="xs" variant="light">
            {texts.subStatement}
          </Badge>
        )}
      </Table.Td>
      <Cell text={resultText(result)} />
    </Table.Tr>
  );
}

function Cell({ text }: { readonly text: string }) {
  return (
    <Table.Td className="wrap-anywhere">
      <Text size="sm" span lineClamp={2} title={text}>
        {text}
      </Text>
    </Table.Td>
  );
}
