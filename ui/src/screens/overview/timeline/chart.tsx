import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

interface ChartProps {
  /** By the moment when they start, in milliseconds since the epoch: names may recur, as do hours when clocks go back. */
  readonly bars: readonly { readonly start: number; readonly count: number }[];
  readonly formatStart: (start: number) => string;
  /** What a bar shows. */
  readonly label: string;
  readonly height: number;
  readonly formatNumber: (value: number) => string;
}

/** The bars alone; whoever can't see them has the table. */
export function Chart({ bars, formatStart, label, height, formatNumber }: ChartProps) {
  return (
    <BarChart
      h={height}
      // The frame has the width of the page, whatever width the bars were drawn with before it became narrower.
      style={{ contain: 'inline-size', overflow: 'hidden' }}
      data={[...bars]}
      dataKey="start"
      series={[{ name: 'count', label, color: 'blue.6' }]}
      valueFormatter={formatNumber}
      accessibilityLayer={false}
      yAxisProps={{ allowDecimals: false, width: 64 }}
      // Every n-th bar has its name, so that none seems to be missing.
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 16, tickFormatter: formatStart }}
      // While nothing is pointed at there is no label.
      tooltipProps={{ labelFormatter: (start) => (typeof start === 'number' ? formatStart(start) : '') }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
