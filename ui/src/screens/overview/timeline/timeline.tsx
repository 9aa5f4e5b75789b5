import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { usePart } from '../../../api/parts.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { timelineQuery } from '../status.ts';
import type { Refreshing } from '../use-refreshing.ts';
import type { Bucket } from './buckets.ts';
import { FrameSelects } from './frame-selects.tsx';
import { TimelineTable } from './timeline-table.tsx';
import { useBucketNames } from './use-bucket-names.ts';
import { type FrameChoice, useFrame } from './use-frame.ts';

const chartHeight = 260;
const loadChart = async () => (await import('./chart.tsx')).Chart;

const useChart = () => usePart('chart', loadChart);

/** Statements by the time when they were stored. */
export function Timeline({ refreshing }: { readonly refreshing: Refreshing }) {
  const { overview: texts } = useTexts();
  const frame = useFrame();
  const table = useDisclosure();
  // The chart comes while its numbers are asked for.
  useChart();
  const { data, error, refetch } = useQuery({
    ...timelineQuery(frame.range, frame.unit),
    ...refreshing,
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="over-time">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Title order={2} size="h4" id="over-time">
            {texts.overTime}
          </Title>
          <FrameSelects {...frame} />
        </Group>
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          <Box h={chartHeight} aria-busy={error === null} />
        ) : (
          <Buckets buckets={data} frame={frame} table={table} />
        )}
      </Stack>
    </Paper>
  );
}

interface BucketsProps {
  readonly buckets: readonly Bucket[];
  readonly frame: FrameChoice;
  /** Whether the table is shown. */
  readonly table: ReturnType<typeof useDisclosure>;
}

/** As bars, and as a table when it is asked for. */
function Buckets({ buckets, frame, table: [isTable, { toggle }] }: BucketsProps) {
  const { overview: texts } = useTexts();
  const { number } = useFormats();
  const { name, isUtc } = useBucketNames(frame.unit);
  const chart = useChart();
  const sum = buckets.reduce((total, { count }) => total + count, 0);
  return (
    <>
      {chart.error !== null && <PartFailure error={chart.error} onRetry={() => void chart.refetch()} />}
      <Box role="img" aria-label={texts.chartText(number(sum), texts.ranges[frame.range])}>
        {chart.data === undefined ? (
          <Box h={chartHeight} aria-busy={chart.isFetching} />
        ) : (
          <chart.data.content
            bars={buckets}
            formatStart={name}
            height={chartHeight}
            label={texts.statements}
            formatNumber={number}
          />
        )}
      </Box>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {isUtc ? texts.utc : texts.localTime(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </Text>
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={isTable}>
          {texts.asTable}
        </Button>
      </Group>
      {isTable && <TimelineTable buckets={buckets} name={name} />}
    </>
  );
}
