import { InvalidError } from '../errors.ts';
import { giveWay, mapInTurns } from '../in-turns.ts';
import { ItemsText, type ParsedItem, type ParsedItems } from '../xapi/json-items.ts';
import type { StatementLimits } from '../xapi/limits.ts';
import { checkSignatureTypes, SignatureVerifier } from '../xapi/signature.ts';
import { AttachmentMatcher, type AttachmentPart, requireFileUrls } from '../xapi/statement/attachments.ts';
import { validateStatement } from '../xapi/statement/validate.ts';
import type { Actor, Json, JsonObject, Statement, XapiVersion } from '../xapi/types.ts';
import type { IncomingStatement, StatementBatch, StatementService } from './types.ts';

const putSection = 'xAPI 1.0.3 Communication 2.1.1';

/** The body of a PUT or POST of statements and who sends it. */
export interface Delivery {
  /** The statement or the array of statements. */
  readonly json: Uint8Array;
  /** The further parts of a multipart body. */
  readonly parts: readonly AttachmentPart[];
  readonly authority: Actor;
  readonly version: XapiVersion;
  readonly limits: StatementLimits;
  /** Told of each statement that keeps the rules, before any is stored. */
  readonly onValid?: (statement: Statement) => void;
}

/**
 * Everything that happens to statements on their way in: parse, validate, match attachments, verify signatures, store. All of
 * them are stored, or none is. Begins when there is room for what becomes of the body.
 * @returns the ids in order.
 * @throws InvalidError, TooLargeError, ConflictError, UnavailableError.
 */
export function receiveStatements(store: StatementService, delivery: Delivery): Promise<string[]> {
  return store.receive(delivery.json.length, () => readAll(delivery));
}

async function readAll(delivery: Delivery): Promise<StatementBatch> {
  const { parts, authority, version } = delivery;
  const common = { authority, version };
  const items = await itemsOf(delivery);
  if (parts.length === 0) {
    const complete = (statement: Statement, path: string): void => {
      requireFileUrls(statement, path);
      checkSignatureTypes(statement);
    };
    return { ...common, statements: validEach(items, delivery, complete), attachments: [] };
  }
  // Contents belong to all statements together.
  const statements = await mapInTurns(validEach(items, delivery), (incoming) => incoming);
  return { ...common, statements, attachments: await attachmentsOf(statements, delivery) };
}

/** Bytes that are scanned before the event loop runs other work: about a millisecond. */
const scanLength = 128 * 1024;

async function itemsOf({ json, limits }: Delivery): Promise<ParsedItems> {
  const text = new ItemsText(json, limits);
  while (!text.scan(scanLength)) await giveWay();
  return text.parsed();
}

/**
 * Each statement parsed and validated when its turn comes.
 * @param complete makes further checks of a statement at a place.
 */
function* validEach(
  { isArray, items }: ParsedItems,
  { version, onValid }: Delivery,
  complete: (statement: Statement, path: string) => void = () => {},
): Generator<IncomingStatement> {
  const seen = new Map<string, number>();
  for (const item of items) {
    const path = isArray ? `statements[${seen.size}]` : 'statement';
    const incoming = validated(item, path, version);
    refuseRepeatedId(incoming.statement.id, seen);
    complete(incoming.statement, path);
    onValid?.(incoming.statement);
    yield incoming;
  }
}

/**
 * The same for the one statement of a PUT, which takes its id from the parameter when it has none itself.
 * @throws InvalidError, also when the two ids differ (xAPI 1.0.3 Communication 2.1.1).
 */
export async function receiveStatement(
  store: StatementService,
  id: string,
  delivery: Delivery,
): Promise<void> {
  await store.receive(delivery.json.length, () => readOne(id, delivery));
}

async function readOne(id: string, delivery: Delivery): Promise<StatementBatch> {
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
  const incoming = validated(part, 'statement', delivery.version);
  if (incoming.statement.id?.toLowerCase() !== id) {
    throw new InvalidError(
      'The id of the statement and the parameter statementId differ (xAPI 1.0.3 Communication 2.1.1).',
      { details: [{ path: 'statement.id', message: 'must be the statementId', section: putSection }] },
    );
  }
  const { authority, version, onValid } = delivery;
  onValid?.(incoming.statement);
  return {
    authority,
    version,
    statements: [incoming],
    attachments: await attachmentsOf([incoming], delivery),
  };
}

function validated(
  { value, source, text }: ParsedItem,
  path: string,
  version: XapiVersion,
): IncomingStatement {
  const statement = validateStatement(value, { version, path });
  // The tree differs from the validated one in nothing but the numbers that are marked to be printed as they came.
  return { statement, source: source === value ? statement : (source as unknown as Statement), text };
}

/**
 * xAPI 1.0.3 Communication 2.1.2.
 * @param seen the places of the statements before it, by their ids.
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

/** The contents that came with the statements, whose signatures are verified with them. */
async function attachmentsOf(
  incoming: readonly IncomingStatement[],
  { parts, version, limits }: Delivery,
): Promise<StatementBatch['attachments']> {
  const matcher = new AttachmentMatcher();
  await mapInTurns(parts, (part) => matcher.addPart(part));
  await mapInTurns(incoming, ({ statement }, index) =>
    matcher.addStatement(statement, incoming.length === 1 ? 'statement' : `statements[${index}]`),
  );
  const attachments = matcher.matched();
  const verifier = new SignatureVerifier(attachments, { version, limits });
  await mapInTurns(incoming, ({ statement }) => verifier.check(statement));
  return attachments;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
