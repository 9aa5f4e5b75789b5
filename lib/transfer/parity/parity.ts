import { giveWayBriefly, mapInTurns } from '../../in-turns.ts';
import { attachmentsOf } from '../../xapi/statement/attachments.ts';
import type { Statement } from '../../xapi/types.ts';
import { isUuid } from '../../xapi/uuid.ts';
import type { Journal, Progress, RefusedLine } from '../journal.ts';
import { RecordSum } from '../record-sum.ts';
import type {
  AdministrationRecord,
  DocumentRecord,
  Entry,
  FoundContents,
  FoundStatement,
  RecordKind,
  Source,
  StatementRecord,
  Target,
  Unreadable,
} from '../records.ts';
import { singleStatement } from '../single-statement.ts';
import { idOf, withId } from '../statement-id.ts';
import { sizeOf } from '../statement-size.ts';
import { compared, comparisonOf, differingMembers, isSame } from './canonical.ts';
import { exactTree } from './exact-tree.ts';
import { Findings, type ParityReport, type Unread } from './report.ts';

export interface ParityOptions {
  readonly source: Source;
  readonly target: Target;
  readonly journal: Journal;
  /** What the import has read, which the second pass must read, too, and what it has to tell. */
  readonly imported: Pick<Progress, 'counts' | 'sum' | 'notices'>;
  /** Told how many statements are compared. */
  readonly onProgress?: (statements: number) => void;
}

/** What is looked up at once at most, but for a single statement of more bytes: two parts are in memory at the same time. */
const part = { statements: 500, bytes: 4 * 1024 * 1024 };

/**
 * Reads the source once more and looks each statement and document up in the target. What was refused counts on no side. A
 * statement that the source has several times counts once.
 */
export async function compareAll({
  source,
  target,
  journal,
  imported,
  onProgress,
}: ParityOptions): Promise<ParityReport> {
  const comparison = new ParityCheck(target, source.identity);
  for await (const refused of journal.refused()) comparison.leaveOut(refused);
  for await (const entry of source.entries()) {
    await comparison.take(entry);
    onProgress?.(comparison.findings.statements.source);
  }
  await comparison.end();
  return comparison.findings.report({
    unread: comparison.unreadOf(imported.counts, source),
    isOther: comparison.isOther(imported, source),
    trusted: target.trusted,
    notices: [...(source.notice?.()?.split('\n') ?? []), ...(imported.notices ?? [])],
  });
}

interface Pending {
  readonly record: StatementRecord;
  readonly place: string;
  readonly id: string;
}

/** A statement of the source with what the target has of it. */
interface LookedUp extends Pending {
  readonly found: FoundStatement | undefined;
  readonly contents: FoundContents | undefined;
}

class ParityCheck {
  readonly findings = new Findings();
  readonly #target: Target;
  readonly #refused = new Set<string>();
  readonly #identity: string;
  readonly #seen = new SeenIds();
  readonly #read = new Map<RecordKind, number>();
  readonly #sum = new RecordSum();
  #pending: Pending[] = [];
  #pendingBytes = 0;
  /** The part that the target is asked for while the one before it is compared, and the next one is read. */
  #asked: Promise<readonly LookedUp[]> = Promise.resolve([]);

  constructor(target: Target, identity: string) {
    this.#target = target;
    this.#identity = identity;
  }

  /** A record that was refused has no counterpart. */
  leaveOut(refused: RefusedLine): void {
    this.#refused.add(refused.place);
    this.findings.addRefused(refused);
  }

  async take({ record: read, place }: Entry): Promise<void> {
    const record = singleStatement(read);
    this.#sum.add(record);
    this.#read.set(record.kind, (this.#read.get(record.kind) ?? 0) + 1);
    if (this.#refused.has(place)) return;
    if (record.kind === 'document') return this.#compareDocument(record, place);
    if (record.kind !== 'statement') return this.#compareOther(record, place);
    const named = withId(record, `${this.#identity} ${place}`);
    const id = idOf(named.json)?.toLowerCase();
    if (id === undefined) {
      // It was refused, and is not among the refused ones any more.
      this.findings.addDifference({ place, id: '', problem: 'cannot be compared: it has no id' });
      return;
    }
    if (!this.#seen.add(id)) return;
    this.#pending.push({ record: named, place, id });
    this.#pendingBytes += sizeOf(named);
    if (this.#pending.length >= part.statements || this.#pendingBytes >= part.bytes) await this.#flush();
  }

  /** Kinds of which less was read than imported. A source that grows counts what it gives twice once as stored. */
  unreadOf(imported: Progress['counts'], { grows = false }: Pick<Source, 'grows'>): Unread[] {
    return Object.entries(imported).flatMap(([kind, { stored, present, refused }]) => {
      const read = this.#read.get(kind as RecordKind) ?? 0;
      const expected = grows ? stored : stored + present + refused;
      return read < expected ? [{ kind: kind as RecordKind, imported: expected, read }] : [];
    });
  }

  /** Whether other records were read than imported. A source that grows gives some of them twice. */
  isOther({ sum }: Pick<Progress, 'sum'>, { grows = false }: Pick<Source, 'grows'>): boolean {
    return !grows && sum !== this.#sum.text;
  }

  /** Compares what is left. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#comparePart(await this.#asked);
  }

  /** Asks the target for the statements that were read, and compares those before them meanwhile. */
  async #flush(): Promise<void> {
    const before = this.#asked;
    this.#asked = this.#lookUp(this.#pending);
    // Whoever awaits it later sees the failure.
    this.#asked.catch(() => {});
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#comparePart(await before);
  }

  async #lookUp(pending: readonly Pending[]): Promise<readonly LookedUp[]> {
    const found = await this.#target.findStatements(pending.map(({ id }) => id));
    const carrying = pending.filter(({ record, id }) => found.has(id) && contentsOf(record).size > 0);
    const contents = await this.#target.findContents(carrying.map(({ id }) => id));
    return pending.map((each) => ({ ...each, found: found.get(each.id), contents: contents.get(each.id) }));
  }

  /** With pauses, in which requests are sent and responses received. */
  async #comparePart(statements: readonly LookedUp[]): Promise<void> {
    await mapInTurns(
      statements,
      (each) => {
        this.#compare(each);
        if (each.found !== undefined) this.#compareContents(each);
      },
      giveWayBriefly,
    );
  }

  #compareContents({ record, place, id, contents: found = new Map() }: LookedUp): void {
    const { contents } = this.findings;
    const own = contentsOf(record);
    for (const [sha2, length] of own) {
      contents.source += 1;
      const isHere = found.has(sha2) && (length === undefined || found.get(sha2) === length);
      if (isHere) contents.target += 1;
      else this.findings.addDifference({ place, id, problem: `lacks the attachment ${sha2}` });
    }
    if (!record.json.includes('"attachments"')) return;
    const described = attachmentsOf(JSON.parse(record.json.toString('utf8')));
    contents.described += described.filter(({ sha2 }) => !own.has(sha2.toLowerCase())).length;
  }

  #compare({ record, place, id, found }: LookedUp): void {
    const source = exactTree(record.json.toString('utf8')) as Statement;
    const comparison = comparisonOf(source, this.#target.trusted);
    const here = compared(source, comparison);
    this.findings.addStatement('source', here);
    if (found === undefined) {
      this.findings.addDifference({ place, id, problem: 'missing' });
      return;
    }
    const target = exactTree(found.text) as Statement;
    const there = isSame(source, target, comparison) ? here : compared(target, comparison);
    this.findings.addStatement('target', source.timestamp === undefined ? { ...there, day: '' } : there);
    if (here.hash !== there.hash) {
      const members = differingMembers(source, target, comparison).join(', ');
      this.findings.addDifference({ place, id, problem: `differs: ${members}` });
    }
    if (record.voided !== undefined && record.voided !== found.voided)
      this.findings.addDifference({ place, id, problem: 'voided differs' });
  }

  async #compareOther(record: AdministrationRecord | Unreadable, place: string): Promise<void> {
    if (record.kind === 'unreadable') {
      // As above.
      this.findings.addDifference({ place, id: '', problem: `cannot be compared: ${record.reason}` });
      return;
    }
    const counts = this.findings[administrationNames[record.kind]];
    counts.source += 1;
    const differences = await this.#target.differencesOf(record);
    if (differences !== undefined) counts.target += 1;
    if (differences?.length === 0) return;
    const problem = differences === undefined ? 'missing' : `differs: ${differences.join(', ')}`;
    this.findings.addDifference({ place, id: nameOf(record), problem });
  }

  async #compareDocument(record: DocumentRecord, place: string): Promise<void> {
    this.findings.documents.source += 1;
    const found = await this.#target.findDocument(record);
    const id = record.address.id;
    if (found === undefined) {
      this.findings.addDifference({ place, id, problem: 'missing' });
      return;
    }
    this.findings.documents.target += 1;
    const { contentType, content } = record.document;
    if (contentType === found.contentType && content.equals(found.content)) return;
    const isNewer = found.updated !== undefined && found.updated > record.updated;
    const problem = isNewer ? 'differs: the document here is newer, and was kept' : 'differs';
    this.findings.addDifference({ place, id, problem });
  }
}

const administrationNames = { account: 'accounts', keyPair: 'keyPairs', reaction: 'reactions' } as const;

/** How people know it. */
function nameOf(record: AdministrationRecord): string {
  if (record.kind === 'account') return `account ${record.username}`;
  return record.kind === 'keyPair' ? `key pair ${record.id}` : `reaction ${record.title}`;
}

/** The lengths of the contents that the source has, by their hashes; undefined for one that it has lost. */
function contentsOf({ parts, carries = [] }: StatementRecord): ReadonlyMap<string, number | undefined> {
  const lengths = new Map<string, number | undefined>(carries.map((sha2) => [sha2.toLowerCase(), undefined]));
  for (const { sha2, content } of parts) lengths.set(sha2.toLowerCase(), content.length);
  return lengths;
}

/** Ids that were compared already, as 16 bytes each. */
class SeenIds {
  readonly #ids = new Set<bigint>();

  /** @returns whether it is the first time. */
  add(id: string): boolean {
    // No other text is stored as an id.
    if (!isUuid(id)) return true;
    const before = this.#ids.size;
    this.#ids.add(BigInt(`0x${id.replaceAll('-', '')}`));
    return this.#ids.size > before;
  }
}
