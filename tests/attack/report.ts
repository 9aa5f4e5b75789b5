import { cpus, totalmem } from 'node:os';
import { type Outcome, ratioOf } from './runner.ts';

const columns = [
  'Attack',
  'Sent',
  'Worst stall (ms)',
  'Honest p99 without / with (ms)',
  'Ratio',
  'Longest write (ms)',
  'Peak RSS (MiB)',
  'Peak descriptors',
  'Crashes',
] as const;

/** Processors, memory and Node.js of this machine. */
export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${memory} GiB, Node.js ${process.version}`;
}

/** A table in Markdown with a line for each attack. */
export function table(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map((outcome) => `| ${cells(outcome).join(' | ')} |`);
  const rule = columns.map((_, index) => (index === 0 ? '---' : '---:'));
  return [`| ${columns.join(' | ')} |`, `| ${rule.join(' | ')} |`, ...lines].join('\n');
}

function cells(outcome: Outcome): string[] {
  return [
    outcome.name,
    String(outcome.sent),
    outcome.stall.stall.toFixed(0),
    ...honestCells(outcome),
    outcome.memory.toFixed(0),
    String(outcome.descriptors),
    outcome.crashed ? '1' : '0',
  ];
}

function honestCells({ honest }: Outcome): string[] {
  if (honest === undefined) return ['–', '–', '–'];
  const { without, during } = honest;
  const degraded = during.degraded === 0 ? '' : `, ${during.degraded} × 503`;
  return [
    `${without.p99.toFixed(0)} / ${during.p99.toFixed(0)}${degraded}`,
    ratioOf(honest).toFixed(1),
    during.longestWrite.toFixed(0),
  ];
}

function counted(outcomes: Outcome['outcomes']): string {
  return Object.entries(outcomes)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(', ');
}

/** One line on an attack that has ended. */
export function summary(outcome: Outcome): string {
  const { name, sent, seconds, stall, honest, memory, descriptors } = outcome;
  const numbers = [
    `${sent} sent in ${seconds.toFixed(1)} s (${counted(outcome.outcomes)})`,
    `stall ${stall.stall.toFixed(0)} ms`,
    ...(honest === undefined ? [] : [honestSummary(honest)]),
    `${memory.toFixed(0)} MiB`,
    `${descriptors} descriptors`,
  ];
  return `${outcome.broken.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${numbers.join(', ')}`;
}

function honestSummary(honest: NonNullable<Outcome['honest']>): string {
  const { without, during } = honest;
  const degraded = during.degraded === 0 ? '' : `, ${during.degraded} honest requests answered 503`;
  const kinds = Object.entries(during.p99Of).map(([name, p99]) => `${name} ${p99.toFixed(0)}`);
  return `p99 of ${without.requests} and ${during.requests} requests ${without.p99.toFixed(0)} → ${during.p99.toFixed(0)} ms (${ratioOf(honest).toFixed(1)} times; ${kinds.join(', ')}), longest write ${during.longestWrite.toFixed(0)} ms${degraded}`;
}
