import { Anchor, Table } from '@mantine/core';
import { Link } from 'react-router';
import { ScrollTable } from '../../../components/scroll-table.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import type { Bucket } from './buckets.ts';

interface TimelineTableProps {
  readonly buckets: readonly Bucket[];
  readonly name: (start: number) => string;
}

/** What the chart shows, in numbers, the newest first. */
export function TimelineTable({ buckets, name }: TimelineTableProps) {
  const { overview: texts } = useTexts();
  const { number } = useFormats();
  return (
    <ScrollTable label={texts.overTime} minWidth={280} maxHeight={320}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{texts.time}</Table.Th>
          <Table.Th scope="col" ta="right">
            {texts.statements}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {buckets.toReversed().map((bucket) => (
          <Table.Tr key={bucket.start}>
            <Table.Th scope="row" fw={400}>
              {name(bucket.start)}
            </Table.Th>
            <Table.Td ta="right">
              {bucket.count === 0 ? (
                number(0)
              ) : (
                <Anchor component={Link} to={addressOf(bucket)} size="sm">
                  {number(bucket.count)}
                </Anchor>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

/** The statements of a bucket: after the moment before it, until the moment before the next. */
function addressOf({ start, end }: Bucket): string {
  const [since, until] = [start, end].map((moment) => new Date(Math.max(0, moment - 1)).toISOString());
  return `/statements?${new URLSearchParams({ since: since ?? '', until: until ?? '' })}`;
}
