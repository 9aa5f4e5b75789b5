import { InvalidError } from '../errors.ts';
import { type ParsedObjects, parseObjects } from '../xapi/json.ts';
import type { ObjectText } from '../xapi/object-text.ts';
import { verifySignature } from '../xapi/signature.ts';
import { type AttachmentPart, matchAttachments } from '../xapi/statement/attachments.ts';
import { validateStatement } from '../xapi/statement/validate.ts';
import type { Actor, Json, JsonObject, Statement, XapiVersion } from '../xapi/types.ts';
import { mapInTurns } from './in-turns.ts';
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
}

/**
 * Everything that happens to statements on their way in: parse, validate, match attachments, verify signatures, store. All of
 * them are stored, or none is. Begins when there is room for what becomes of the body.
 * @returns the ids in order.
 * @throws InvalidError, ConflictError, UnavailableError.
 */
export function receiveStatements(store: StatementService, delivery: Delivery): Promise<string[]> {
  return store.receive(delivery.json.length, () => readAll(delivery));
}

async function readAll(delivery: Delivery): Promise<StatementBatch> {
  const parsed = parseObjects(delivery.json);
  const { value } = parsed;
  const statements = await mapInTurns(partsOf(parsed), (part, index) =>
    validated(part, Array.isArray(value) ? `statements[${index}]` : 'statement', delivery.version),
  );
  refuseRepeatedIds(statements);
  return batchOf(statements, delivery);
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
  await store.receive(delivery.json.length, async () => readOne(id, delivery));
}

function readOne(id: string, delivery: Delivery): StatementBatch {
  const { value, source, texts } = parseObjects(delivery.json);
  if (!isObject(value) || !isObject(source)) {
    throw new InvalidError(
      'The body of a PUT must be one statement, a JSON object (xAPI 1.0.3 Communication 2.1.1).',
      { details: [{ path: 'statement', message: 'must be a JSON object', section: putSection }] },
    );
  }
  const part = {
    value: { id, ...value },
    source: { id, ...source },
    text: 'id' in value ? texts[0] : undefined,
  };
  const incoming = validated(part, 'statement', delivery.version);
  if (incoming.statement.id?.toLowerCase() !== id) {
    throw new InvalidError(
      'The id of the statement and the parameter statementId differ (xAPI 1.0.3 Communication 2.1.1).',
      { details: [{ path: 'statement.id', message: 'must be the statementId', section: putSection }] },
    );
  }
  return batchOf([incoming], delivery);
}

/** One statement of what was parsed. */
interface Part {
  readonly value: Json;
  readonly source: Json;
  readonly text: ObjectText | undefined;
}

function partsOf({ value, source, texts }: ParsedObjects): Part[] {
  if (!Array.isArray(value) || !Array.isArray(source)) return [{ value, source, text: texts[0] }];
  return value.map((item, index) => ({ value: item, source: source[index] ?? item, text: texts[index] }));
}

function validated({ value, source, text }: Part, path: string, version: XapiVersion): IncomingStatement {
  const statement = validateStatement(value, { version, path });
  // The tree differs from the validated one in nothing but the numbers that are marked to be printed as they came.
  return { statement, source: source === value ? statement : (source as unknown as Statement), text };
}

/** xAPI 1.0.3 Communication 2.1.2. */
function refuseRepeatedIds(statements: readonly IncomingStatement[]): void {
  const first = new Map<string, number>();
  for (const [index, { statement }] of statements.entries()) {
    const id = statement.id?.toLowerCase();
    if (id === undefined) continue;
    const earlier = first.get(id);
    if (earlier !== undefined) {
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
    first.set(id, index);
  }
}

function batchOf(
  statements: readonly IncomingStatement[],
  { parts, authority, version }: Delivery,
): StatementBatch {
  const attachments = matchAttachments(
    statements.map(({ statement }) => statement),
    parts,
  );
  for (const { statement } of statements) verifySignature(statement, attachments, version);
  return { statements, attachments, authority, version };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
