import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

interface ChartProps {
  readonly bars: readonly { readonly name: string; readonly count: number }[];
  /** What a bar shows. */
  readonly label: string;
  readonly height: number;
  readonly formatNumber: (value: number) => string;
}

/** The bars alone; whoever can't see them has the table. */
export function Chart({ bars, label, height, formatNumber }: ChartProps) {
  return (
    <BarChart
      h={height}
      data={[...bars]}
      dataKey="name"
      series={[{ name: 'count', label, color: 'blue.6' }]}
      valueFormatter={formatNumber}
      accessibilityLayer={false}
      yAxisProps={{ allowDecimals: false, width: 64 }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
