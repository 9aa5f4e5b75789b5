import { TextMap } from '../../text-map.ts';
import { counted } from '../counted.ts';
import type { RefusedLine } from '../journal.ts';
import type { RecordKind } from '../records.ts';
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
  /** `missing`, or what differs. */
  readonly problem: string;
}

/** Records that were imported and were not in the source any more when it was read to be compared. */
export interface Unread {
  readonly kind: RecordKind;
  readonly imported: number;
  readonly read: number;
}

/** What the second pass over the source has found of what was imported. */
export interface SecondPass {
  /** Empty when as much was read as imported. */
  readonly unread: readonly Unread[];
  /** Whether other records were read than imported. */
  readonly isOther: boolean;
  /** Whether statements kept their `stored`, authority and order, and these were compared. */
  readonly trusted: boolean;
  /** What the import has said of the source and of what was here before, such as key pairs that have become ones of the source. */
  readonly notices: readonly string[];
}

/** Contents of attachments. */
export interface Contents extends Pair {
  /** Those that statements describe and the source did not give: they have a `fileUrl`. */
  described: number;
}

export interface ParityReport extends SecondPass {
  readonly statements: Pair;
  readonly documents: Pair;
  readonly contents: Readonly<Contents>;
  readonly accounts: Readonly<Pair>;
  readonly keyPairs: Readonly<Pair>;
  readonly reactions: Readonly<Pair>;
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
  /** How many records of each kind were refused, which count on no side. */
  readonly refusedKinds: Readonly<Partial<Record<RecordKind, number>>>;
  readonly refused: readonly RefusedLine[];
  /** Further refused records, which are not listed. */
  readonly moreRefused: number;
}

/** A verb, day or actor with different numbers of statements. */
export interface CountDifference extends Readonly<Pair> {
  readonly name: string;
}

/** So many differences, and so many refused records, are listed. */
const mostListed = 10_000;

/** Collects what a comparison finds. */
export class Findings {
  readonly statements: Pair = { source: 0, target: 0 };
  readonly documents: Pair = { source: 0, target: 0 };
  readonly accounts: Pair = { source: 0, target: 0 };
  readonly keyPairs: Pair = { source: 0, target: 0 };
  readonly reactions: Pair = { source: 0, target: 0 };
  readonly contents: Contents = { source: 0, target: 0, described: 0 };
  readonly #verbs = new TextMap<Pair>();
  readonly #days = new TextMap<Pair>();
  readonly #actors = new TextMap<Pair>();
  readonly #sums = { source: 0n, target: 0n };
  readonly #differences: Difference[] = [];
  #more = 0;
  readonly #refusedKinds: Partial<Record<RecordKind, number>> = {};
  readonly #refused: RefusedLine[] = [];
  #moreRefused = 0;

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

  addRefused(line: RefusedLine): void {
    this.#refusedKinds[line.kind] = (this.#refusedKinds[line.kind] ?? 0) + 1;
    if (this.#refused.length < mostListed) this.#refused.push(line);
    else this.#moreRefused += 1;
  }

  report(secondPass: SecondPass): ParityReport {
    const { source, target } = this.#sums;
    return {
      statements: this.statements,
      documents: this.documents,
      contents: this.contents,
      accounts: this.accounts,
      keyPairs: this.keyPairs,
      reactions: this.reactions,
      ...secondPass,
      hash: { source: hexOf(source), target: hexOf(target) },
      verbs: differing(this.#verbs),
      days: differing(this.#days),
      actors: differing(this.#actors),
      compared: { verbs: this.#verbs.size, days: this.#days.size, actors: this.#actors.size },
      differences: this.#differences,
      moreDifferences: this.#more,
      refusedKinds: this.#refusedKinds,
      refused: this.#refused,
      moreRefused: this.#moreRefused,
    };
  }
}

/** Whether all was compared, and nothing is missing, different or refused. */
export function isClean({ differences, refused, unread, isOther }: ParityReport): boolean {
  return differences.length === 0 && refused.length === 0 && unread.length === 0 && !isOther;
}

const notCompared = 'New and not compared: stored, authority and order, because --trusted was not given';

/** The report for people. */
export function reportLines(report: ParityReport): string[] {
  const { statements, documents, contents, unread, hash, compared } = report;
  const { differences, moreDifferences, refused, moreRefused } = report;
  const counts = (title: string, name: 'verbs' | 'days' | 'actors'): string =>
    `${title}: ${compared[name]} compared, ${report[name].length} with different numbers of statements`;
  const listed = (['verbs', 'days', 'actors'] as const).flatMap((name) =>
    report[name]
      .slice(0, 10)
      .map((each) => `  ${each.name}: ${each.source} in the source, ${each.target} here`),
  );
  return [
    `Statements: ${countsOf(statements, report.refusedKinds.statement)}`,
    `Documents: ${countsOf(documents, report.refusedKinds.document)}`,
    ...contentLines(contents),
    ...otherLines(report),
    `Hash of all statements: ${hash.source === hash.target ? 'equal' : 'different'} (${hash.source.slice(0, 16)}…, ${hash.target.slice(0, 16)}…)`,
    ...(report.trusted || statements.source === 0 ? [] : [notCompared]),
    counts('Verbs', 'verbs'),
    counts('Days', 'days'),
    counts('Actors', 'actors'),
    ...listed,
    ...unread.map(
      ({ kind, imported, read }) =>
        `Not compared: ${counted(imported, 'record')} of the kind ${kind} ${imported === 1 ? 'was' : 'were'} imported, and the source had ${read} when it was read again. It has changed meanwhile: import it again.`,
    ),
    ...(unread.length === 0 && report.isOther
      ? [
          'Not compared: the source had other records when it was read again than those that were imported. It has changed meanwhile: import it again.',
        ]
      : []),
    `Differences: ${differences.length + moreDifferences}`,
    ...differences.slice(0, 10).map(({ place, id, problem }) => `  ${place}: ${id} ${problem}`),
    `Refused: ${refused.length + moreRefused}`,
    ...refused
      .slice(0, 10)
      .map(
        ({ place, id, refused: why, rule }) =>
          `  ${[place, id].filter(Boolean).join(', ')}: ${withRule(why, rule)}`,
      ),
  ];
}

function otherLines({ accounts, keyPairs, reactions, refusedKinds: refused }: ParityReport): string[] {
  const lines = [
    ['Accounts', accounts, refused.account],
    ['Key pairs', keyPairs, refused.keyPair],
    ['Reactions', reactions, refused.reaction],
  ] as const;
  return lines.flatMap(([name, pair, refusedOnes = 0]) =>
    pair.source + refusedOnes === 0 ? [] : `${name}: ${countsOf(pair, refusedOnes)}`,
  );
}

function countsOf({ source, target }: Readonly<Pair>, refused = 0): string {
  const among = refused === 0 ? '' : `, ${refused} of them refused`;
  return `${source + refused} in the source${among}, ${target} here`;
}

function contentLines({ source, target, described }: Contents): string[] {
  return [
    `Contents of attachments: ${source} in the source, ${target} here`,
    ...(described > 0
      ? [
          `Attachments whose content the source did not give: ${described}; they have a fileUrl, and no content here.`,
        ]
      : []),
  ];
}

/** The message of a refusal mostly names its rule already. */
export function withRule(why: string, rule: string | undefined): string {
  return rule === undefined || why.includes(rule) ? why : `${why} (${rule})`;
}

function increase(counts: TextMap<Pair>, name: string, side: keyof Pair): void {
  const pair = counts.get(name);
  if (pair === undefined) counts.set(name, { source: 0, target: 0, [side]: 1 });
  else pair[side] += 1;
}

function differing(counts: TextMap<Pair>): CountDifference[] {
  return [...counts].flatMap(([name, { source, target }]) =>
    source === target ? [] : { name, source, target },
  );
}

const hexOf = (sum: bigint): string => sum.toString(16).padStart(64, '0');
