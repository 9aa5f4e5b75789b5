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
import { Findings, type ParityReport, type Unread } from './report.ts';
import { type ComparedPair, type CompareStatements, compareStatement } from './statement-comparison.ts';

export interface ParityOptions {
  readonly source: Source;
  readonly target: Target;
  readonly journal: Journal;
  /** What the import has read, which the second pass must read, too, and what it has to tell. */
  readonly imported: Pick<Progress, 'counts' | 'sum' | 'notices'>;
  /** Where statements are compared; in this thread unless given. */
  readonly compare?: CompareStatements;
  /** Told how many statements are compared. */
  readonly onProgress?: (statements: number) => void;
}

/** What is looked up at once at most, but for a single statement of more bytes. */
const part = { statements: 500, bytes: 4 * 1024 * 1024 };

/** So many parts are looked up and compared while the next one is read: the target and the thread work side by side. */
const mostParts = 2;

const compareHere: CompareStatements = async (pairs, trusted) =>
  pairs.map((pair) => compareStatement(pair, trusted));

/**
 * Reads the source once more and looks each statement and document up in the target. What was refused counts on no side. A
 * statement that the source has several times counts once.
 */
export async function compareAll({
  source,
  target,
  journal,
  imported,
  compare = compareHere,
  onProgress,
}: ParityOptions): Promise<ParityReport> {
  const comparison = new ParityCheck(target, source.identity, compare);
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

/** A statement of the source with what the target has of it, and how the two compare. */
interface Compared extends Pending {
  readonly found: FoundStatement | undefined;
  readonly contents: FoundContents | undefined;
  readonly pair: ComparedPair;
}

class ParityCheck {
  readonly findings = new Findings();
  readonly #target: Target;
  readonly #refused = new Set<string>();
  readonly #identity: string;
  readonly #compare: CompareStatements;
  readonly #seen = new SeenIds();
  readonly #read = new Map<RecordKind, number>();
  readonly #sum = new RecordSum();
  #pending: Pending[] = [];
  #pendingBytes = 0;
  /** Parts that are looked up and compared, oldest first. */
  readonly #parts: Promise<readonly Compared[]>[] = [];

  constructor(target: Target, identity: string, compare: CompareStatements) {
    this.#target = target;
    this.#identity = identity;
    this.#compare = compare;
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
    await this.#flush(0);
  }

  /** Begins to compare the statements that were read. @param most so many parts may be compared later. */
  async #flush(most = mostParts): Promise<void> {
    const compared = this.#comparePart(this.#pending);
    // Whoever awaits it later sees the failure.
    compared.catch(() => {});
    this.#parts.push(compared);
    this.#pending = [];
    this.#pendingBytes = 0;
    while (this.#parts.length > most) {
      for (const statement of (await this.#parts.shift()) ?? []) this.#note(statement);
    }
  }

  async #comparePart(pending: readonly Pending[]): Promise<readonly Compared[]> {
    const { trusted } = this.#target;
    const found = await this.#target.findStatements(pending.map(({ id }) => id));
    const carrying = pending.filter(({ record, id }) => found.has(id) && contentsOf(record).size > 0);
    const contents = await this.#target.findContents(carrying.map(({ id }) => id));
    const pairs = await this.#compare(
      pending.map(({ record, id }) => ({
        source: record.json.toString('utf8'),
        target: found.get(id)?.text,
      })),
      trusted,
    );
    return pending.flatMap((each, index) => {
      const pair = pairs[index];
      return pair === undefined
        ? []
        : [{ ...each, pair, found: found.get(each.id), contents: contents.get(each.id) }];
    });
  }

  #note(compared: Compared): void {
    const { record, place, id, found, pair } = compared;
    this.findings.addStatement('source', pair.source);
    if (found === undefined || pair.target === undefined) {
      this.findings.addDifference({ place, id, problem: 'missing' });
      return;
    }
    this.findings.addStatement('target', pair.target);
    if (pair.differing.length > 0)
      this.findings.addDifference({ place, id, problem: `differs: ${pair.differing.join(', ')}` });
    if (record.voided !== undefined && record.voided !== found.voided)
      this.findings.addDifference({ place, id, problem: 'voided differs' });
    this.#noteContents(compared);
  }

  #noteContents({ record, place, id, pair, contents: found = new Map() }: Compared): void {
    const { contents } = this.findings;
    const own = contentsOf(record);
    for (const [sha2, length] of own) {
      contents.source += 1;
      const isHere = found.has(sha2) && (length === undefined || found.get(sha2) === length);
      if (isHere) contents.target += 1;
      else this.findings.addDifference({ place, id, problem: `lacks the attachment ${sha2}` });
    }
    contents.described += pair.attachments.filter((sha2) => !own.has(sha2)).length;
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
