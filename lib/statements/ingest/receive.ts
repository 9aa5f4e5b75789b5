import { InvalidError } from '../../errors.ts';
import { giveWay, mapInTurns, Pauses } from '../../in-turns.ts';
import type { Interner } from '../../json/interner.ts';
import { ItemsText, type ParsedItem, type ParsedItems } from '../../json/items.ts';
import type { Json, JsonObject } from '../../json/types.ts';
import { checkSignatureTypes, SignatureVerifier } from '../../xapi/signature.ts';
import {
  AttachmentMatcher,
  type AttachmentPart,
  attachmentsOf as describedBy,
  requireFileUrls,
} from '../../xapi/statement/attachments.ts';
import { validateStatement } from '../../xapi/statement/validate.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Delivery, IncomingStatement, StatementBatch } from '../types.ts';

const putSection = 'xAPI 1.0.3 Communication 2.1.1';

/**
 * Parses and validates the statements of a request, matches attachments and verifies signatures. A large body is read in
 * slices; statements without attachments are parsed when the batch is iterated.
 * @param interner shares equal parts of statements.
 * @throws InvalidError, TooLargeError, at once or during iteration.
 */
export function readDelivery(delivery: Delivery, interner?: Interner): Promise<StatementBatch> {
  const { statementId } = delivery;
  const read = { ...delivery, interner };
  return statementId === undefined ? readAll(read) : readOne(statementId, read);
}

/** A delivery that is being read. */
interface Reading extends Delivery {
  readonly interner: Interner | undefined;
}

async function readAll(delivery: Reading): Promise<StatementBatch> {
  const { parts, authority, version, trusted } = delivery;
  const common = { authority, version, trusted };
  const items = await itemsOf(delivery);
  if (parts.length === 0 && delivery.uploaded === undefined) {
    const complete = (statement: Statement, path: string): void => {
      requireFileUrls(statement, path);
      checkSignatureTypes(statement);
    };
    return { ...common, statements: validEach(items, delivery, complete), attachments: [] };
  }
  // The contents belong to all statements together.
  const statements = await mapInTurns(validEach(items, delivery), (incoming) => incoming);
  const pathOf = (index: number): string => (items.isArray ? `statements[${index}]` : 'statement');
  return { ...common, statements, attachments: await attachmentsOf(statements, delivery, pathOf) };
}

/** Bytes that are scanned before the event loop runs other work: about one millisecond. */
const scanLength = 128 * 1024;

async function itemsOf({ json, limits, interner }: Reading): Promise<ParsedItems> {
  const text = new ItemsText(json, limits, { interner });
  while (!text.scan(scanLength)) await giveWay();
  return text.parsed();
}

/**
 * Parses and validates each statement when it is iterated.
 * @param complete makes further checks of a statement at a place.
 */
function* validEach(
  { isArray, items }: ParsedItems,
  { version, onValid, interner }: Reading,
  complete: (statement: Statement, path: string) => void = () => {},
): Generator<IncomingStatement> {
  const seen = new Map<string, number>();
  for (const item of items) {
    const path = isArray ? `statements[${seen.size}]` : 'statement';
    const incoming = validated(item, path, { version, interner });
    refuseRepeatedId(incoming.statement.id, seen);
    complete(incoming.statement, path);
    onValid?.(incoming.statement);
    yield incoming;
  }
}

/**
 * The single statement of a PUT, which takes its id from the parameter if it has none.
 * @throws InvalidError, also when the two ids differ (xAPI 1.0.3 Communication 2.1.1).
 */
async function readOne(id: string, delivery: Reading): Promise<StatementBatch> {
  const { isArray, items } = await itemsOf(delivery);
  const [item] = items;
  if (isArray || item === undefined || !isObject(item.value) || !isObject(item.source)) {
    throw new InvalidError(
      'The body of a PUT must be one statement, a JSON object (xAPI 1.0.3 Communication 2.1.1).',
      { details: [{ path: 'statement', message: 'must be a JSON object', section: putSection }] },
    );
  }
  const { value, source } = item;
  const text = 'id' in value ? item.text : undefined;
  const part = { value: { id, ...value }, source: { id, ...source }, text };
  const incoming = validated(part, 'statement', delivery);
  if (incoming.statement.id?.toLowerCase() !== id) {
    throw new InvalidError(
      'The id of the statement and the parameter statementId differ (xAPI 1.0.3 Communication 2.1.1).',
      { details: [{ path: 'statement.id', message: 'must be the statementId', section: putSection }] },
    );
  }
  const { authority, version, trusted, onValid } = delivery;
  onValid?.(incoming.statement);
  return {
    authority,
    version,
    trusted,
    statements: [incoming],
    attachments: await attachmentsOf([incoming], delivery, () => 'statement'),
  };
}

function validated(
  { value, source, text }: ParsedItem,
  path: string,
  { version, interner }: Pick<Reading, 'version' | 'interner'>,
): IncomingStatement {
  const statement = validateStatement(value, { version, path, trees: interner?.trees });
  // The tree differs from the validated one only in the marked numbers, which are printed as they were received.
  return { statement, source: source === value ? statement : (source as unknown as Statement), text };
}

/**
 * xAPI 1.0.3 Communication 2.1.2.
 * @param seen the places of the previous statements, by id.
 */
function refuseRepeatedId(writtenId: string | undefined, seen: Map<string, number>): void {
  const index = seen.size;
  const id = writtenId?.toLowerCase() ?? `none ${index}`;
  const earlier = seen.get(id);
  seen.set(id, index);
  if (earlier === undefined) return;
  throw new InvalidError(
    `statements[${earlier}] and statements[${index}] have the same id (xAPI 1.0.3 Communication 2.1.2).`,
    {
      details: [
        {
          path: `statements[${index}].id`,
          message: `must not be that of statements[${earlier}]`,
          section: 'xAPI 1.0.3 Communication 2.1.2',
        },
      ],
    },
  );
}

/**
 * The contents that came with the statements, by which signatures are verified, and those that were uploaded before.
 * @param pathOf how the client calls the statement at an index.
 */
async function attachmentsOf(
  incoming: readonly IncomingStatement[],
  { parts, version, limits, uploaded, interner }: Reading,
  pathOf: (index: number) => string,
): Promise<StatementBatch['attachments']> {
  const matcher = new AttachmentMatcher(await uploaded?.(missingHashes(incoming, parts)));
  await mapInTurns(parts, (part) => matcher.addPart(part));
  await mapInTurns(incoming, ({ statement }, index) => matcher.addStatement(statement, pathOf(index)));
  const attachments = matcher.matched();
  const sent = attachments.filter(({ object }) => object === undefined);
  const pauses = new Pauses();
  const pause = () => pauses.pause();
  const verifier = new SignatureVerifier(sent, { version, limits, interner, pause });
  await mapInTurns(incoming, ({ statement }) => verifier.check(statement));
  return attachments;
}

/** The attachments that no part of the request contains. */
function missingHashes(
  incoming: readonly IncomingStatement[],
  parts: readonly AttachmentPart[],
): readonly string[] {
  const brought = new Set(parts.map(({ sha2 }) => sha2.toLowerCase()));
  const described = incoming.flatMap(({ statement }) =>
    describedBy(statement).map(({ sha2 }) => sha2.toLowerCase()),
  );
  return [...new Set(described)].filter((sha2) => !brought.has(sha2));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
