import type { Measurement } from './load.ts';

export interface Row extends Measurement {
  /** Statements in the store when the work began or, for writing, ended. */
  readonly stored: number;
  /** CPU seconds the server used per second of the work, or undefined where that can't be read. */
  readonly serverCpu: number | undefined;
  /** Largest resident size of the server so far, in MiB. */
  readonly peakMemory: number | undefined;
}

const columns: readonly [string, (row: Row) => string][] = [
  ['Work', (row) => row.work],
  ['stored', (row) => String(row.stored)],
  ['connections', (row) => String(row.connections)],
  ['requests/s', (row) => row.callsPerSecond.toFixed(0)],
  ['statements/s', (row) => (row.work.startsWith('POST') ? row.statementsPerSecond.toFixed(0) : '–')],
  ['p50 ms', (row) => row.p50.toFixed(2)],
  ['p90 ms', (row) => row.p90.toFixed(2)],
  ['p99 ms', (row) => row.p99.toFixed(2)],
  ['failures', (row) => String(row.failures)],
  ['server CPU', (row) => (row.serverCpu === undefined ? '–' : row.serverCpu.toFixed(2))],
  ['peak MiB', (row) => (row.peakMemory === undefined ? '–' : row.peakMemory.toFixed(0))],
];

/** The measurements as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([title]) => title)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ].join('\n');
}
