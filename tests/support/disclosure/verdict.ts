import type { RecordLine } from './record.ts';
import { insides, secretsIn } from './texts.ts';

/**
 * What the records of a run disclose: in answers, as they were heard, and in what was printed, by all secrets of the process
 * that are known at the end. A run that heard answers and has not a single line of a log is a mistake in itself: it proves
 * nothing.
 */
export function disclosures(records: readonly string[]): string[] {
  const runs = records.map(linesOf);
  const kinds = new Set(runs.flat().map(({ kind }) => kind));
  const silent = kinds.has('heard') && !kinds.has('printed') ? ['no log was taken down'] : [];
  return [...runs.flatMap(disclosedBy), ...silent];
}

function linesOf(record: string): RecordLine[] {
  const lines = record.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

function disclosedBy(lines: readonly RecordLine[]): string[] {
  const textsOf = (kind: RecordLine['kind']) =>
    lines.filter((line) => line.kind === kind).map(({ text }) => text);
  const secrets = new Map(
    textsOf('secret').map((text) => {
      const [kind = '', secret = ''] = text.split('\n');
      return [secret, kind];
    }),
  );
  const inPrint = textsOf('printed').flatMap((text) =>
    [...secretsIn(text, secrets), ...insides(text)].map(
      (what) => `a log shows ${what}: ${text.slice(0, 300)}`,
    ),
  );
  return [...textsOf('disclosed'), ...inPrint];
}
