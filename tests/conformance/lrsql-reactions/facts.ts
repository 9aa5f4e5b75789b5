import type { Fact } from './fact.ts';
import { results } from './results.ts';
import { rulesets } from './rulesets.ts';
import { running } from './running.ts';

/** All that is known of lrsql's reactions. */
export const lrsqlFacts: readonly Fact[] = [...rulesets, ...running, ...results];

const head = '| lrsql | Here |\n| --- | --- |\n';

/** The text of `docs/reactions.md` with its table of differences written anew. @throws Error where there is no such table */
export function withDifferences(page: string): string {
  const [before, table, ...more] = page.split(head);
  if (before === undefined || table === undefined || more.length > 0)
    throw new Error(`One table has to begin with ${JSON.stringify(head)}.`);
  const after = table.replace(/^(?:\|.*\n)*/, '');
  const rows = lrsqlFacts.flatMap(({ differs }) =>
    differs ? `| ${differs.lrsql} | ${differs.here} |\n` : [],
  );
  return [before, head, ...rows, after].join('');
}
