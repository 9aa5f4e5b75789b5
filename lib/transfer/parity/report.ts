import type { RefusedLine } from '../journal.ts';
import type { ComparedStatement } from './canonical.ts';

/** How many statements there are on either side. */
export interface Pair {
  source: number;
  target: number;
}

/** A statement or a document that is not the same on both sides. */
export interface Difference {
  readonly place: string;
  readonly id: string;
  readonly problem: 'missing' | 'differs' | 'voided differs';
}

export interface ParityReport {
  readonly statements: Pair;
  readonly documents: Pair;
  /** Sums of the hashes of all canonical statements, in hexadecimal; equal when the statements are. */
  readonly hash: { readonly source: string; readonly target: string };
  readonly verbs: readonly CountDifference[];
  readonly days: readonly CountDifference[];
  readonly actors: readonly CountDifference[];
  /** How many verbs, days and actors were compared. */
  readonly compared: { readonly verbs: number; readonly days: number; readonly actors: number };
  readonly differences: readonly Difference[];
  /** Further differences, which are not listed. */
  readonly moreDifferences: number;
  readonly refused: readonly RefusedLine[];
}

/** A verb, day or actor with different numbers of statements. */
export interface CountDifference extends Readonly<Pair> {
  readonly name: string;
}

/** So many differences are listed. */
const mostListed = 10_000;

/** Collects what a comparison finds. */
export class Findings {
  readonly statements: Pair = { source: 0, target: 0 };
  readonly documents: Pair = { source: 0, target: 0 };
  readonly #verbs = new Map<string, Pair>();
  readonly #days = new Map<string, Pair>();
  readonly #actors = new Map<string, Pair>();
  readonly #sums = { source: 0n, target: 0n };
  readonly #differences: Difference[] = [];
  #more = 0;

  addStatement(side: keyof Pair, { hash, verb, day, actor }: ComparedStatement): void {
    this.statements[side] += 1;
    this.#sums[side] = BigInt.asUintN(256, this.#sums[side] + BigInt(`0x${hash}`));
    increase(this.#verbs, verb, side);
    increase(this.#days, day, side);
    increase(this.#actors, actor, side);
  }

  addDifference(difference: Difference): void {
    if (this.#differences.length < mostListed) this.#differences.push(difference);
    else this.#more += 1;
  }

  report(refused: readonly RefusedLine[]): ParityReport {
    const { source, target } = this.#sums;
    return {
      statements: this.statements,
      documents: this.documents,
      hash: { source: hexOf(source), target: hexOf(target) },
      verbs: differing(this.#verbs),
      days: differing(this.#days),
      actors: differing(this.#actors),
      compared: { verbs: this.#verbs.size, days: this.#days.size, actors: this.#actors.size },
      differences: this.#differences,
      moreDifferences: this.#more,
      refused,
    };
  }
}

/** Whether nothing is missing, different or refused. */
export function isClean({ differences, refused }: ParityReport): boolean {
  return differences.length === 0 && refused.length === 0;
}

/** The report for people. */
export function reportLines(report: ParityReport): string[] {
  const { statements, documents, hash, compared, differences, moreDifferences, refused } = report;
  const counts = (title: string, name: 'verbs' | 'days' | 'actors'): string =>
    `${title}: ${compared[name]} compared, ${report[name].length} with different numbers of statements`;
  const listed = (['verbs', 'days', 'actors'] as const).flatMap((name) =>
    report[name]
      .slice(0, 10)
      .map((each) => `  ${each.name}: ${each.source} in the source, ${each.target} here`),
  );
  return [
    `Statements: ${statements.source} in the source, ${statements.target} here`,
    `Documents: ${documents.source} in the source, ${documents.target} here`,
    `Hash of all statements: ${hash.source === hash.target ? 'equal' : 'different'} (${hash.source.slice(0, 16)}…, ${hash.target.slice(0, 16)}…)`,
    counts('Verbs', 'verbs'),
    counts('Days', 'days'),
    counts('Actors', 'actors'),
    ...listed,
    `Differences: ${differences.length + moreDifferences}`,
    ...differences.slice(0, 10).map(({ place, id, problem }) => `  ${place}: ${id} ${problem}`),
    `Refused: ${refused.length}`,
    ...refused
      .slice(0, 10)
      .map(
        ({ place, id, refused: why, rule }) =>
          `  ${[place, id].filter(Boolean).join(', ')}: ${withRule(why, rule)}`,
      ),
  ];
}

/** The message of a refusal mostly names its rule already. */
export function withRule(why: string, rule: string | undefined): string {
  return rule === undefined || why.includes(rule) ? why : `${why} (${rule})`;
}

function increase(counts: Map<string, Pair>, name: string, side: keyof Pair): void {
  const pair = counts.get(name);
  if (pair === undefined) counts.set(name, { source: 0, target: 0, [side]: 1 });
  else pair[side] += 1;
}

function differing(counts: ReadonlyMap<string, Pair>): CountDifference[] {
  return [...counts].flatMap(([name, { source, target }]) =>
    source === target ? [] : { name, source, target },
  );
}

const hexOf = (sum: bigint): string => sum.toString(16).padStart(64, '0');
