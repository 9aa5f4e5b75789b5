import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import type { AuditCounts, AuditService } from '../lib/audit/types.ts';
import { printable, printableLines } from '../lib/printable.ts';
import { httpTarget } from '../lib/transfer/http/http-target.ts';
import { runImport } from '../lib/transfer/importer.ts';
import { isEmpty, Journal, type Progress } from '../lib/transfer/journal.ts';
import { openStore, storeAsTarget } from '../lib/transfer/open-store.ts';
import { startComparing } from '../lib/transfer/parity/comparing-thread.ts';
import { compareAll, type ParityOptions } from '../lib/transfer/parity/parity.ts';
import { isClean, reportLines, withRule } from '../lib/transfer/parity/report.ts';
import type { Source, Target } from '../lib/transfer/records.ts';
import { openSource } from '../lib/transfer/sources/open.ts';
import { commandLine } from './command-line.mjs';
import { commandLogger } from './command-logger.ts';
import { openStoreToTry } from './existing-database.ts';
import { failureReasons } from './failure-reasons.ts';
import { importAddress } from './import-address.ts';
import { endingSignals } from './interruption.ts';
import { outliveLostOutput } from './lost-output.ts';
import { audited, commandAct } from './operator/audited.ts';
import { ProgressBar } from './progress-bar.ts';
import { importHelp, readImportArguments } from './transfer-arguments.mjs';
import { requireWritable } from './writable.ts';

/*
 * `npm run import -- --from SOURCE` stores what another LRS, or a file, has in the store of the configuration, and reports
 * whether all of it is there. A signal ends it after a part, and the same command continues.
 */

const untilLastRun =
  'Until the last run of a trusted import has ended, no program may read this LRS incrementally (with since, or from a Consistent-Through on): a later run places statements before times that it has passed.';
const ifLastRun =
  'Programs may read this LRS incrementally from now on (with since, or from a Consistent-Through on) unless this import is run again: that would place statements before times that they have passed.';

const allNew =
  'Each statement gets a new stored, authority and place in the order, because --trusted is not given, which keeps those of the source.';

/** What the audit trail counts. */
const countNames = {
  statement: 'statements',
  document: 'documents',
  account: 'accounts',
  keyPair: 'keyPairs',
  reaction: 'reactions',
} as const;

type Arguments = ReturnType<typeof readImportArguments>;

outliveLostOutput();
try {
  await main(commandLine((args) => readImportArguments(args, process.env), importHelp));
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}

async function main(given: Arguments): Promise<void> {
  const from = importAddress(given.from);
  const { to, lrs, files, attachments, report, dryRun: dry } = given;
  const folder = resolve(
    given.folder ??
      `import-${folderKey([placeOf(from), withoutPassword(to ?? ''), given.settings.LRS_DB_TYPE ?? '', lrs ?? ''])}`,
  );
  const journal = new Journal(folder);
  await journal.locked(async () => {
    const source = await openSource(from, { folder, lrs, files, attachments });
    try {
      if (to === undefined) await intoDatabase(given, { source, journal });
      else await transfer({ source, target: httpTarget(to, { dry }), journal, merge: false, report });
    } finally {
      await source.close();
    }
  });
}

async function intoDatabase(
  { trusted, merge, dryRun: dry, report, settings }: Arguments,
  { source, journal }: Pick<Transfer, 'source' | 'journal'>,
): Promise<void> {
  const { config, secrets } = await loadConfigWithSecrets(processSource(settings));
  if (!dry) requireWritable(config);
  const here = { config, secrets, logger: commandLogger(config.logger.logLevel) };
  const store = await (dry ? openStoreToTry(here) : openStore(here));
  try {
    const target = storeAsTarget(store, { trusted, dry });
    const { audit } = store.services;
    await transfer({ source, target, journal, merge, report, ...(!dry && { audit }) });
  } finally {
    await store.close();
  }
}

interface Transfer {
  readonly source: Source;
  readonly target: Target;
  readonly journal: Journal;
  readonly merge: boolean;
  readonly report: boolean;
  /** The audit trail of the store; undefined where nothing is stored in it. */
  readonly audit?: Pick<AuditService, 'begin' | 'finish'>;
}

async function transfer(parts: Transfer): Promise<void> {
  const { source, target, journal, report } = parts;
  const how = target.dry ? ', without storing anything' : '';
  console.log(printable(`From ${source.name} into ${target.name}${how}.`));
  if (!target.trusted) console.log(allNew);
  const total = await source.count?.();
  const bar = new ProgressBar();
  const progress = await storeAll(parts, ({ statement }) =>
    bar.show(statement ? statement.stored + statement.present + statement.refused : 0, total),
  );
  // Records that are not statements, or are left out, count in the total of some sources.
  if (progress.complete && total) bar.show(total, total);
  bar.end();
  for (const line of countLines(progress, target.dry)) console.log(line);
  for (const notice of [source.notice?.(), ...(progress.notices ?? [])])
    if (notice !== undefined) console.log(printableLines(notice));
  if (target.trusted && !target.dry) console.log(progress.complete ? ifLastRun : untilLastRun);
  if (!progress.complete) {
    console.log('Interrupted: run the same command again to continue.');
    process.exitCode = 1;
  } else if (isEmpty(progress)) {
    console.log(`Nothing was found in ${source.name}, so nothing is imported or compared.`);
    process.exitCode = 2;
  } else if (report && !target.dry) {
    await compare({ source, target, journal, total, imported: progress });
  } else {
    await listRefused(journal, target);
  }
  if (progress.complete) await source.finish?.();
}

/** Stores the records, which the audit trail has before they are stored. */
async function storeAll(
  { source, target, journal, merge, audit }: Transfer,
  show: (counts: Progress['counts']) => void,
): Promise<Progress> {
  const run = (onProgress: (counts: Progress['counts']) => void): Promise<Progress> =>
    interruptible(source, (signal) => runImport({ source, target, journal, merge, signal, onProgress }));
  if (audit === undefined) return run(show);
  const filters = {
    from: source.name,
    ...(target.trusted && { trusted: 'true' }),
    ...(merge && { merge: 'true' }),
  };
  return audited(audit, { ...commandAct('import', 'change'), filters }, async (end) => {
    const progress = await run((counts) => {
      end.counts = auditCounts(counts);
      show(counts);
    });
    end.counts = auditCounts(progress.counts);
    end.interrupted = !progress.complete;
    return progress;
  });
}

/** What is stored, by the runs that this one continues, too, and how many records were refused. */
function auditCounts(counts: Progress['counts']): AuditCounts {
  const refused = Object.values(counts).reduce((sum, { refused: own }) => sum + own, 0);
  const stored = Object.entries(countNames).flatMap(([kind, name]) => {
    const own = counts[kind as keyof typeof countNames]?.stored ?? 0;
    return own > 0 ? [[name, own] as const] : [];
  });
  return { ...Object.fromEntries(stored), ...(refused > 0 && { refused }) };
}

/** A signal ends the import after the part that is being stored; a second one ends the process at once, which is harmless, too. */
async function interruptible<Result>(
  source: Source,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    if (interruption.signal.aborted) process.exit(1);
    interruption.abort();
    source.interrupt?.();
  };
  for (const name of endingSignals) process.on(name, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    // What follows only reads.
    for (const name of endingSignals) process.off(name, interrupt);
  }
}

async function compare({
  total,
  ...sides
}: Omit<ParityOptions, 'compare' | 'onProgress'> & { readonly total: number | undefined }): Promise<void> {
  console.log('Comparing …');
  const bar = new ProgressBar();
  const thread = startComparing(new URL('./comparing-worker.mjs', import.meta.url));
  const report = await compareAll({
    ...sides,
    compare: thread.compare,
    onProgress: (statements) => bar.show(statements, total),
  }).finally(thread.end);
  // The last part is compared when the source has ended, and what was refused is not.
  bar.show(total ?? report.statements.source, total);
  bar.end();
  await sides.journal.write('report.json', report);
  for (const line of reportLines(report)) console.log(printable(line));
  console.log(`${sides.journal.folder} has the whole report, and what was refused.`);
  if (!isClean(report)) process.exitCode = 2;
}

/** What a report would say of refused records, and its exit code. */
async function listRefused(journal: Journal, { dry }: Pick<Target, 'dry'>): Promise<void> {
  let count = 0;
  for await (const { place, refused: why, rule } of journal.refused()) {
    count += 1;
    if (count <= 10) console.log(printable(`  ${place}: ${withRule(why, rule)}`));
  }
  if (count > 0) {
    console.log(`${journal.folder} has all that ${dry ? 'would be' : 'was'} refused.`);
    process.exitCode = 2;
  }
}

function countLines({ counts }: Progress, dry: boolean): string[] {
  return Object.entries(counts).map(([kind, { stored, present, refused }]) =>
    stored + refused === 0
      ? `${kind}: nothing new; ${present} read, which were there already`
      : `${kind}: ${stored} ${dry ? 'would be stored' : 'stored'}, ${present} there already, ${refused} refused`,
  );
}

/** The same for each way to write the path of a file. */
function placeOf(from: string): string {
  return from === '-' || /^[a-z][a-z0-9+.-]*:\/\//i.test(from) ? withoutPassword(from) : resolve(from);
}

/** A new password or secret key is no other source, and a name made of it would help to guess it. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

/** Tells imports apart that are run in one folder. */
function folderKey(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
