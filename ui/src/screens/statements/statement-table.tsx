import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterCell } from '../../components/filter-cell.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useNames } from '../../texts/use-names.ts';
import { momentOf } from '../../xapi/moment.ts';
import { agentFilter, objectFilter } from './cell-filters.ts';
import type { Filters } from './filters.ts';
import type { StoredStatement } from './queries.ts';
import { useResultText } from './result-text.ts';
import { type Address, start } from './use-address.ts';

interface StatementTableProps {
  readonly statements: readonly StoredStatement[];
  readonly address: Address;
}

/** The statements of a page, each with the link to its details. */
export function StatementTable({ statements, address }: StatementTableProps) {
  const { pages } = useTexts();
  return (
    <DataTable
      label={pages.statements}
      minWidth={760}
      columns={useColumns(address)}
      rows={statements}
      keyOf={({ id }) => id}
      opens
    />
  );
}

function useColumns({ place, link, go }: Address): readonly Column<StoredStatement>[] {
  const { statements: texts } = useTexts();
  const names = useNames();
  const resultText = useResultText();
  /** A text with the button that adds the filter to those that are set. */
  const filtered = (name: string, text: string, filter: Filters | undefined) => (
    <FilterCell
      name={name}
      value={text}
      onFilter={
        filter && (() => go({ ...start, live: place.live, filters: { ...place.filters, ...filter } }))
      }
    >
      <Clamped text={text} />
    </FilterCell>
  );
  return [
    {
      key: 'stored',
      title: texts.stored,
      width: 190,
      noWrap: true,
      cell: (statement) => <Stored statement={statement} link={link} />,
    },
    {
      key: 'actor',
      title: texts.actor,
      width: '20%',
      cell: ({ actor }) => filtered(texts.actor, names.actor(actor), agentFilter(actor)),
    },
    {
      key: 'verb',
      title: texts.verb,
      width: '17%',
      cell: ({ verb }) => filtered(texts.verb, names.verb(verb), { verb: verb.id }),
    },
    {
      key: 'object',
      title: texts.object,
      cell: ({ object }) => (
        <>
          {filtered(texts.object, names.object(object), objectFilter(object))}
          {object.objectType === 'SubStatement' && (
            <Badge size="xs" variant="light">
              {texts.subStatement}
            </Badge>
          )}
        </>
      ),
    },
    {
      key: 'result',
      title: texts.result,
      width: '20%',
      cell: ({ result }) => result !== undefined && <Clamped text={resultText(result)} />,
    },
  ];
}

/** What is later than this many milliseconds after it happened shows both times. */
const noticeable = 60_000;

function Stored({
  statement,
  link,
}: {
  readonly statement: StoredStatement;
  readonly link: Address['link'];
}) {
  const { statements: texts } = useTexts();
  const { dateTime } = useFormats();
  const { id, stored, timestamp = stored } = statement;
  const isLate = Math.abs(momentOf(stored) - momentOf(timestamp)) > noticeable;
  return (
    <>
      <Anchor component={Link} {...link({ show: id })} size="sm" data-row>
        {dateTime(stored)}
      </Anchor>
      {isLate && (
        <Text size="xs" c="dimmed">
          {texts.happened(dateTime(timestamp))}
        </Text>
      )}
    </>
  );
}

function Clamped({ text }: { readonly text: string }) {
  return (
    <Text size="sm" span lineClamp={2} title={text}>
      {text}
    </Text>
  );
}
