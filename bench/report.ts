import type { Measurement } from './load.ts';

export interface Row extends Measurement {
  /** Statements in the store when the work began or, for writing, ended. */
  readonly stored: number;
  /** CPU seconds the server used per second of the work, or undefined where that can't be read. */
  readonly serverCpu: number | undefined;
  /** The same of the load generator. */
  readonly loadCpu: number | undefined;
  /** The same of everything on the machine, the database and the system included. */
  readonly machineCpu: number | undefined;
  /** Largest resident size of the server so far, in MiB. */
  readonly peakMemory: number | undefined;
}

/** What a table or an index of the database takes. */
export interface Size {
  readonly name: string;
  readonly bytes: number;
}

/** One server and what was measured of it. */
export interface Result {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Of the server's own database, after everything was written; empty for a foreign server. */
  readonly sizes: readonly Size[];
}

const columns: readonly [string, (row: Row) => string][] = [
  ['Work', (row) => row.work],
  ['stored', (row) => String(row.stored)],
  ['connections', (row) => String(row.connections)],
  ['requests/s', (row) => row.callsPerSecond.toFixed(0)],
  ['statements/s', (row) => (isWriting(row) ? row.statementsPerSecond.toFixed(0) : '–')],
  ['p50 ms', (row) => row.p50.toFixed(2)],
  ['p90 ms', (row) => row.p90.toFixed(2)],
  ['p99 ms', (row) => row.p99.toFixed(2)],
  ['failures', (row) => String(row.failures)],
  ['server CPU', ({ serverCpu }) => number(serverCpu, 2)],
  ['load CPU', ({ loadCpu }) => number(loadCpu, 2)],
  ['all CPU', ({ machineCpu }) => number(machineCpu, 2)],
  ['server µs', (row) => number(row.serverCpu && (1e6 * row.serverCpu) / row.statementsPerSecond, 0)],
  ['peak MiB', ({ peakMemory }) => number(peakMemory, 0)],
];

function number(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits);
}

/** The measurements as a Markdown table. */
export function table(rows: readonly Row[]): string {
  return markdown(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
}

/** The same work of several servers in one table: statements (or requests) per second and p50. They do it in the same order. */
export function sideBySide(results: readonly Result[]): string {
  const [first] = results;
  const titles = results.flatMap(({ name }) => [`${name}: per second`, 'p50 ms', 'failures']);
  return markdown(
    ['Work', 'connections', ...titles],
    (first?.rows ?? []).map((row, index) => [
      row.work,
      String(row.connections),
      ...results.flatMap(({ rows }) => summary(rows[index])),
    ]),
  );
}

function summary(row: Row | undefined): string[] {
  if (row === undefined) return ['–', '–', '–'];
  return [row.statementsPerSecond.toFixed(0), row.p50.toFixed(2), String(row.failures)];
}

/** How p50 of each query, and the rate of writing, change with the size of the store; the last column says by what factor. */
export function growth(rows: readonly Row[], sizes: readonly number[]): string {
  const asked = rows.filter(({ work }) => work.startsWith('GET') && work !== 'GET state');
  const queries = [...new Set(asked.map(({ work }) => work))].map((work) => {
    const times = asked.filter((row) => row.work === work).map(({ p50 }) => p50);
    return [`${work}: p50 ms`, ...times.map((time) => time.toFixed(2)), factor(times)];
  });
  const rates = sizes.map((size, index) => rateUpTo(rows, sizes[index - 1] ?? 0, size));
  const writing = [
    'POST batches of 500: statements/s',
    ...rates.map((rate) => rate.toFixed(0)),
    factor(rates),
  ];
  return markdown(['stored', ...sizes.map(String), 'last to first'], [writing, ...queries]);
}

function rateUpTo(rows: readonly Row[], from: number, to: number): number {
  const loads = rows.filter(
    ({ work, connections, stored }) =>
      work === 'POST batches of 500' && connections === loadConnections && stored > from && stored <= to,
  );
  const seconds = loads.reduce((sum, row) => sum + row.seconds, 0);
  return loads.reduce((sum, row) => sum + row.statementsPerSecond * row.seconds, 0) / seconds;
}

/** How many connections load the store; no other work in batches of 500 has as many. */
export const loadConnections = 4;

function factor(values: readonly number[]): string {
  const [first] = values;
  const last = values.at(-1);
  return first === undefined || last === undefined ? '–' : `× ${(last / first).toFixed(2)}`;
}

/** What each table and index takes for a statement. */
export function sizeTable(sizes: readonly Size[], statements: number): string {
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const all = [...sizes.toSorted((a, b) => b.bytes - a.bytes), { name: 'together', bytes: total }];
  return markdown(
    ['Table or index', 'MiB', 'bytes a statement'],
    all
      .filter(({ bytes }) => bytes / statements >= 1)
      .map(({ name, bytes }) => [name, (bytes / 2 ** 20).toFixed(1), (bytes / statements).toFixed(0)]),
  );
}

function isWriting({ work }: Row): boolean {
  return work.startsWith('POST');
}

export function markdown(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}
