import { randomUUID } from 'node:crypto';
import { mapInTurns } from '../../in-turns.ts';
import { printJson } from '../../json/json.ts';
import { SharedTrees } from '../../json/shared-trees.ts';
import type { JsonObject } from '../../json/types.ts';
import { identifierOf } from '../../xapi/agent.ts';
import { type Mentions, mentionsOf } from '../../xapi/mentions.ts';
import { attachmentsOf } from '../../xapi/statement/attachments.ts';
import { normalise } from '../../xapi/statement/normalise.ts';
import { isVoiding, targetOf } from '../../xapi/statement/reference.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Actor, Statement, StatementObject } from '../../xapi/types.ts';
import { keysOf, type StatementKeys } from '../search/search-key.ts';
import type { IncomingStatement, Position, StatementBatch, StatementValues } from '../types.ts';
import { StatementText } from './statement-text.ts';

/**
 * A statement ready to be stored, but for its position: all that can be done outside the transaction is done. It keeps
 * nothing of the tree that it was made from, because thousands of them may wait.
 */
export interface PreparedStatement {
  /** Lower case: xAPI ids count without case. */
  readonly id: string;
  /** The id as the client wrote it: so it stands in the text and in the answer. */
  readonly writtenId: string;
  /** Whether the client chose the id; only then may it be taken, or waited for by others. */
  readonly idWasSent: boolean;
  /** The position that it has had in the store that it comes from, if it is to keep that. */
  readonly kept?: Position | undefined;
  readonly text: StatementText;
  readonly values: StatementValues;
  readonly keys: StatementKeys;
  /** The id of the statement that its Object refers to. */
  readonly target: string | undefined;
  readonly voids: boolean;
  readonly mentions: Mentions;
  /** The attachments whose contents came with the batch. */
  readonly contents: readonly { readonly sha2: string; readonly contentType: string }[];
}

/**
 * Prepares all statements of a batch, of a large one in turns.
 * @param trees keep what is computed from parts that statements share.
 */
export function prepareBatch(batch: StatementBatch, trees = new SharedTrees()): Promise<PreparedStatement[]> {
  const contents = new Set(batch.attachments.map(({ sha2 }) => sha2));
  return mapInTurns(batch.statements, (incoming) => prepare(incoming, batch, { contents, trees }));
}

/** The ends of texts, with the version and the authority. */
class Tails {
  readonly #authority: string;
  readonly #byVersion = new Map<string, Buffer>();

  constructor(authority: Actor) {
    this.#authority = printJson(authority);
  }

  of(version: string): Buffer {
    const known = this.#byVersion.get(version);
    if (known !== undefined) return known;
    const tail = Buffer.from(`,"version":${JSON.stringify(version)},"authority":${this.#authority}}`);
    if (this.#byVersion.size < versionsKept) this.#byVersion.set(version, tail);
    return tail;
  }
}

/** Clients send one or two. */
const versionsKept = 8;
const tailsOf = (authority: Actor): Tails => new Tails(authority);

/** What the statements of a batch have in common. */
interface SharedParts {
  readonly contents: ReadonlySet<string>;
  readonly trees: SharedTrees;
}

function prepare(
  incoming: IncomingStatement,
  batch: StatementBatch,
  { contents, trees }: SharedParts,
): PreparedStatement {
  const statement = normalise(incoming.statement);
  const authority = (batch.trusted && statement.authority) || batch.authority;
  const source = incoming.source === incoming.statement ? statement : normalise(incoming.source);
  const writtenId = statement.id ?? randomUUID();
  const { timestamp, version } = source;
  const text = new StatementText({
    id: writtenId,
    kept: (source === incoming.source && keptAsWritten(incoming)) || [printKept(source)],
    timestamp,
    tail: trees.once(trees.share(authority), tailsOf).of(version ?? defaultVersions[batch.version]),
  });
  return {
    id: writtenId.toLowerCase(),
    writtenId,
    idWasSent: statement.id !== undefined,
    kept: batch.trusted ? keptPosition(statement) : undefined,
    text,
    values: valuesOf(statement, trees),
    keys: keysOf(statement, authority, trees),
    target: targetOf(statement),
    voids: isVoiding(statement),
    mentions: mentionsOf(source, authority, trees),
    contents: contents.size === 0 ? [] : deliveredAttachments(statement, contents),
  };
}

/** Undefined where it says none, or none that this store can have. */
function keptPosition({ stored }: Statement): Position | undefined {
  const position = stored === undefined ? undefined : timestampToMicroseconds(stored);
  return position !== undefined && position > 0 && Number.isSafeInteger(position) ? position : undefined;
}

/** The members of a statement that have a place of their own in its text. */
const placed = ['id', 'timestamp', 'stored', 'version', 'authority'] as const;
const placedNames: ReadonlySet<string> = new Set(placed);

/** The other members, taken from the text that came, which spares printing them. */
function keptAsWritten({ source, text }: IncomingStatement): readonly Buffer[] | undefined {
  return text?.membersWithout(placedNames, source as unknown as JsonObject);
}

/** The same printed, without the braces around them. */
function printKept(source: Statement): Buffer {
  const kept = { ...source, ...nothingPlaced };
  return Buffer.from(printJson(kept).slice(1, -1));
}

const nothingPlaced = Object.fromEntries(placed.map((name) => [name, undefined]));

function valuesOf({ verb, actor, object, context }: Statement, trees: SharedTrees): StatementValues {
  return {
    verb: verb.id,
    actor: identifierOf(actor, trees) ?? null,
    object: objectIdentifier(object, trees),
    registration: context?.registration?.toLowerCase() ?? null,
  };
}

function objectIdentifier(object: StatementObject, trees: SharedTrees): string | null {
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return identifierOf(object, trees) ?? null;
    case 'SubStatement':
      return null;
    default:
      return 'id' in object ? object.id : null;
  }
}

/** What a statement without a version gets (xAPI 1.0.3 Data 2.4.10, xAPI 2.0 4.2.4.2). */
const defaultVersions = { '1.0.3': '1.0.0', '2.0.0': '2.0.0' } as const;

function deliveredAttachments(statement: Statement, contents: ReadonlySet<string>) {
  const delivered = new Map<string, string>();
  for (const { sha2, contentType } of attachmentsOf(statement)) {
    const hash = sha2.toLowerCase();
    if (contents.has(hash) && !delivered.has(hash)) delivered.set(hash, contentType);
  }
  return Array.from(delivered, ([sha2, contentType]) => ({ sha2, contentType }));
}
