import { documentKinds } from '../../documents/kinds.ts';
import type { DocumentKind } from '../../documents/types.ts';
import { InvalidError } from '../../errors.ts';
import type { ContentLine } from '../../export/content-parts.ts';
import {
  type CarriedLine,
  type ExportedAccount,
  type ExportedDocumentLine,
  type ExportedKeyPair,
  type ExportedReaction,
  type ExportHead,
  formatName,
  formatVersion,
} from '../../export/format.ts';
import { identifierOf } from '../../xapi/agent.ts';
import { scopes as knownScopes, type Scope } from '../../xapi/scopes.ts';
import type { AttachmentPart } from '../../xapi/statement/attachments.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Agent } from '../../xapi/types.ts';
import type { ContentSpool } from '../content-spool.ts';
import type { Cursor, Entry, Source, TransferRecord } from '../records.ts';
import { bytesOf } from './bytes.ts';
import { itemsOf, type JsonItem } from './json-items.ts';

/** An export of this LRS. @param spool keeps contents of attachments until the statements come that carry them. */
export function ownExport(file: string, spool: ContentSpool): Source {
  return {
    name: `export ${file}`,
    count: async () => (await headOf(file)).statements,
    hasStatements: async () => (await headOf(file)).statements > 0,
    entries: (after) => entriesOf(file, spool, after),
    close: () => Promise.resolve(),
  };
}

/** Whether a first item is that of an export. */
export function isOwnExport({ json }: JsonItem): boolean {
  return json.subarray(0, 100).includes(`"${formatName}"`);
}

/** @throws InvalidError when a later release has made the file. */
async function headOf(file: string): Promise<ExportHead> {
  for await (const { json } of itemsOf(bytesOf(file))) {
    const { export: head }: { readonly export?: ExportHead } = JSON.parse(json.toString('utf8'));
    if (head?.format === formatName && head.version <= formatVersion) return head;
    break;
  }
  throw new InvalidError(`${file} is not an export that this release understands.`);
}

async function* entriesOf(file: string, spool: ContentSpool, after: Cursor = 0): AsyncGenerator<Entry> {
  await headOf(file);
  let ended = false;
  for await (const item of itemsOf(bytesOf(file))) {
    ended = item.json.subarray(0, endMark.length).equals(endMark);
    if (item.number <= Number(after)) continue;
    const record = await recordOf(item.json, spool);
    if (record !== undefined) yield { record, place: `line ${item.number}`, cursor: item.number };
  }
  if (!ended) throw new InvalidError(`${file} was cut off: its last line is missing.`);
}

const endMark = Buffer.from('{"end":');
const statementMark = Buffer.from('{"statement":');

/** All that a line may hold beside a statement. */
interface OtherLine {
  readonly account?: ExportedAccount;
  readonly keyPair?: ExportedKeyPair;
  readonly document?: ExportedDocumentLine;
  readonly content?: ContentLine;
  readonly reaction?: ExportedReaction;
}

/** undefined: the line belongs to a later one, or to the file. */
async function recordOf(json: Buffer, spool: ContentSpool): Promise<TransferRecord | undefined> {
  try {
    if (json.subarray(0, statementMark.length).equals(statementMark)) return await statementOf(json, spool);
    const line: OtherLine = JSON.parse(json.toString('utf8'));
    if (line.content !== undefined) await spool.add(line.content);
    if (line.account !== undefined) return accountOf(line.account);
    if (line.keyPair !== undefined) return keyPairOf(line.keyPair);
    if (line.document !== undefined) return documentOf(line.document);
    if (line.reaction !== undefined) return reactionOf(line.reaction);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'unreadable', reason: 'the line is not JSON' };
  }
}

/**
 * The statement stays the text that it is, because parsing it would change numbers: what is behind it is looked for from the
 * end, where no statement can hold it.
 */
async function statementOf(json: Buffer, spool: ContentSpool): Promise<TransferRecord> {
  const end = json.lastIndexOf('}') + 1;
  const whole = { start: statementMark.length, end: end - 1 };
  const short = json.subarray(whole.start, whole.end);
  const behind = restAt(json, whole.start);
  if (behind === undefined) return { kind: 'statement', json: short, parts: [], voided: false };
  const rest: { readonly voided?: true; readonly contents?: readonly CarriedLine[] } = JSON.parse(
    `{${json.toString('utf8', behind + 1, end)}`,
  );
  const parts: AttachmentPart[] = [];
  for (const { sha2, contentType } of rest.contents ?? []) {
    const content = await spool.read(sha2);
    if (content !== undefined) parts.push({ sha2, contentType, content });
  }
  const carries = rest.contents?.map(({ sha2 }) => sha2) ?? [];
  const statement = json.subarray(whole.start, behind);
  return { kind: 'statement', json: statement, parts, carries, voided: rest.voided === true };
}

/** Where the statement ends and other members follow; undefined when none do. */
function restAt(json: Buffer, start: number): number | undefined {
  const end = endOfObject(json, start);
  return json[end] === comma ? end : undefined;
}

const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

/** Behind the brace that closes the object that begins there. */
function endOfObject(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === 0x7b) depth += 1;
    else if (byte === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** The quote that closes the string that begins there. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(quote, start + 1); end >= 0; end = json.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

function accountOf({ id, username, passwordHash, issuer }: ExportedAccount): TransferRecord {
  return { kind: 'account', id, username, passwordHash, issuer: issuer ?? null };
}

function keyPairOf({ id, account, apiKey, secretKey, label, scopes }: ExportedKeyPair): TransferRecord {
  const known: readonly Scope[] = knownScopes.filter((scope) => scopes.includes(scope));
  return { kind: 'keyPair', id, accountId: account, apiKey, secretKey, label, scopes: known };
}

function documentOf(line: ExportedDocumentLine): TransferRecord {
  const { kind, activityId, agent, registration, id, contentType, updated, content } = line;
  if (!isDocumentKind(kind))
    return { kind: 'unreadable', reason: `there are no documents of the kind ${kind}` };
  return {
    kind: 'document',
    address: {
      kind,
      activity: activityId,
      agent: agent === undefined ? undefined : identifierOf(agent as Agent),
      registration,
      id,
    },
    document: { contentType, content: Buffer.from(content, 'base64') },
    updated: timestampToMicroseconds(updated),
  };
}

const isDocumentKind = (kind: string): kind is DocumentKind => Object.hasOwn(documentKinds, kind);

function reactionOf({ title, ruleset, active }: ExportedReaction): TransferRecord {
  return { kind: 'reaction', title, ruleset: JSON.parse(JSON.stringify(ruleset)), active };
}
