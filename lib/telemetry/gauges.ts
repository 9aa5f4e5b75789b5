import { isMeasured } from './measure.ts';
import type { GaugeName } from './metrics.ts';

/** What a gauge shows now, by the value of its label; a number where it has none. */
export type GaugeValue = number | Readonly<Record<string, number>>;
export type ReadGauge = () => GaugeValue | Promise<GaugeValue>;

const readers = new Map<GaugeName, Set<ReadGauge>>();

/**
 * Has a gauge show what `read` returns whenever metrics are collected; what several return is added up. Does nothing while
 * nothing is measured.
 * @returns ends it.
 */
export function showGauge(name: GaugeName, read: ReadGauge): () => void {
  if (!isMeasured()) return () => {};
  const known = readers.get(name) ?? new Set();
  readers.set(name, known.add(read));
  return () => void known.delete(read);
}

/** What a gauge shows now; undefined when nothing is shown, or it cannot be read. */
export async function readGauge(name: GaugeName): Promise<GaugeValue | undefined> {
  const all = [...(readers.get(name) ?? [])];
  const values = await Promise.allSettled(all.map(async (read) => read()));
  return values
    .flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    .reduce<GaugeValue | undefined>(sumOf, undefined);
}

function sumOf(one: GaugeValue | undefined, other: GaugeValue): GaugeValue {
  if (one === undefined) return other;
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other);
  const sum: Record<string, number> = { ...one };
  for (const [label, value] of Object.entries(other)) sum[label] = (sum[label] ?? 0) + value;
  return sum;
}
