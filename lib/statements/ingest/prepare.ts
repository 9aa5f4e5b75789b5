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
 * A statement that is ready to be stored, except for its position. Everything that needs no transaction is done. It keeps
 * no part of the parsed tree, because thousands of them may wait.
 */
export interface PreparedStatement {
  /** Lower case: xAPI ids are case-insensitive. */
  readonly id: string;
  /** The id as the client wrote it, as in the text and in the response. */
  readonly writtenId: string;
  /** Whether the client chose the id; only then can it be taken, or be referred to already. */
  readonly idWasSent: boolean;
  /** Its position in the store that it comes from, if it keeps that. */
  readonly keptPosition?: Position | undefined;
  readonly text: StatementText;
  readonly values: StatementValues;
  readonly keys: StatementKeys;
  /** The id of the statement that its Object refers to. */
  readonly target: string | undefined;
  readonly voids: boolean;
  readonly mentions: Mentions;
  /** The attachments whose contents are part of the batch. */
  readonly contents: readonly { readonly sha2: string; readonly contentType: string }[];
}

/**
 * Prepares all statements of a batch, pausing for other work in a large one.
 * @param trees caches values that are computed from shared parts.
 */
export function prepareBatch(batch: StatementBatch, trees = new SharedTrees()): Promise<PreparedStatement[]> {
  const contents = new Set(batch.attachments.map(({ sha2 }) => sha2));
  return mapInTurns(batch.statements, (incoming) => prepare(incoming, batch, { contents, trees }));
}

/** The cached ends of texts, which hold version and authority. */
class TailCache {
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

/** Clients usually send one or two versions. */
const versionsKept = 8;
const newTailCache = (authority: Actor): TailCache => new TailCache(authority);

/** What the statements of a batch share. */
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
  // The same statement, with its numbers as the client wrote them.
  const source = incoming.source === incoming.statement ? statement : normalise(incoming.source);
  const writtenId = statement.id ?? randomUUID();
  const { timestamp, version } = source;
  const text = new StatementText({
    id: writtenId,
    members: (source === incoming.source && membersAsWritten(incoming)) || [printedMembers(source)],
    timestamp,
    tail: trees.once(trees.share(authority), newTailCache).of(version ?? defaultVersions[batch.version]),
  });
  return {
    id: writtenId.toLowerCase(),
    writtenId,
    idWasSent: statement.id !== undefined,
    keptPosition: batch.trusted ? keptPositionOf(statement) : undefined,
    text,
    values: valuesOf(statement, trees),
    keys: keysOf(statement, authority, trees),
    target: targetOf(statement),
    voids: isVoiding(statement),
    mentions: mentionsOf(source, authority, trees),
    contents: contents.size === 0 ? [] : deliveredAttachments(statement, contents),
  };
}

/** Undefined where it has none, or one that this store cannot represent. */
function keptPositionOf({ stored }: Statement): Position | undefined {
  const position = stored === undefined ? undefined : timestampToMicroseconds(stored);
  return position !== undefined && position > 0 && Number.isSafeInteger(position) ? position : undefined;
}

/** The members that have a fixed place in the text. */
const placed = ['id', 'timestamp', 'stored', 'version', 'authority'] as const;
const placedNames: ReadonlySet<string> = new Set(placed);

/** The other members, copied from the received text, which saves printing them. */
function membersAsWritten({ source, text }: IncomingStatement): readonly Buffer[] | undefined {
  return text?.membersWithout(placedNames, source as unknown as JsonObject);
}

/** The same members, printed, without the braces around them. */
function printedMembers(source: Statement): Buffer {
  const members = { ...source, ...nothingPlaced };
  return Buffer.from(printJson(members).slice(1, -1));
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

/** The version of a statement that has none (xAPI 1.0.3 Data 2.4.10, xAPI 2.0 4.2.4.2). */
const defaultVersions = { '1.0.3': '1.0.0', '2.0.0': '2.0.0' } as const;

function deliveredAttachments(statement: Statement, contents: ReadonlySet<string>) {
  const delivered = new Map<string, string>();
  for (const { sha2, contentType } of attachmentsOf(statement)) {
    const hash = sha2.toLowerCase();
    if (contents.has(hash) && !delivered.has(hash)) delivered.set(hash, contentType);
  }
  return Array.from(delivered, ([sha2, contentType]) => ({ sha2, contentType }));
}
