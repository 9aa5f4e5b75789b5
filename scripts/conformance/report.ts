import type { Failure, Section, SuiteRun } from './suite-log.ts';

/** A run as text: passed and failed tests by section, then each failure with its error. */
export function report(title: string, { sections, failures }: SuiteRun): string {
  const total = {
    title: 'Total',
    passed: sections.reduce((sum, { passed }) => sum + passed, 0),
    failed: sections.reduce((sum, { failed }) => sum + failed, 0),
  };
  const table = [`${'passed'.padStart(6)}  ${'failed'.padStart(6)}`, ...[...sections, total].map(row)];
  return [title, ...table, ...failures.flatMap(failureLines)].join('\n');
}

function row({ title, passed, failed }: Section): string {
  return `${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${title}`;
}

function failureLines({ path, error }: Failure): string[] {
  return ['', ...path.map((title, depth) => `${'  '.repeat(depth)}${title}`), `→ ${error}`];
}
