import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gauges, type Metric, prometheusName, recorded } from '../../../lib/telemetry/metrics.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');

function rowOf(metric: Metric): string {
  const labels = metric.labels.map((label) => `\`${label.replaceAll('.', '_')}\``).join(', ');
  return `| \`${prometheusName(metric)}\` | ${metric.kind} | ${labels} | ${metric.description} |`;
}

it('the page about monitoring lists every metric', () => {
  const rows = [...Object.values(recorded), ...Object.values(gauges)].map(rowOf);
  expect(page.match(/^\| `(?:lrs|http|db|nodejs|process)_.*$/gm)).toEqual(rows);
});
