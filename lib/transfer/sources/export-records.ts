import { documentKinds } from '../../documents/kinds.ts';
import type { DocumentKind } from '../../documents/types.ts';
import { InvalidError } from '../../errors.ts';
import type { ContentLine } from '../../export/content-parts.ts';
import type {
  ExportCounts,
  ExportedAccount,
  ExportedDocumentLine,
  ExportedKeyPair,
  ExportedReaction,
} from '../../export/format.ts';
import type { JsonObject } from '../../json/types.ts';
import { scopes as knownScopes } from '../../xapi/scopes.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import { parseLimited } from '../item-limits.ts';
import type { KeyPairRecord, TransferRecord } from '../records.ts';
import { identifierOfAny } from './any-agent.ts';

/** All that a line of an export may hold beside a statement, as far as nobody has changed it. */
export interface OtherLine {
  readonly account?: ExportedAccount;
  readonly keyPair?: ExportedKeyPair;
  readonly document?: ExportedDocumentLine;
  readonly content?: ContentLine;
  readonly reaction?: ExportedReaction;
  readonly end?: ExportCounts;
}

const otherNames: readonly string[] = [
  'account',
  'keyPair',
  'document',
  'content',
  'reaction',
  'export',
  'end',
];

/** @throws InvalidError when it is not JSON, or not one of the lines of an export beside statements. */
export function otherLine(json: Buffer): OtherLine {
  const { value } = parseLimited(json);
  const [[name = '', member] = [], ...more] = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  if (!otherNames.includes(name) || more.length > 0) throw new InvalidError('it is no line of an export');
  if (typeof member !== 'object' || member === null) throw new InvalidError(`its ${name} is not an object`);
  return value as OtherLine;
}

/** @throws InvalidError when a member is not what an export has. */
export function contentOf({ sha2, data, more }: ContentLine): ContentLine {
  requireTexts({ sha2, data });
  return { sha2, data, ...(more && { more }) };
}

/**
 * undefined: there is none in the line.
 * @param names of the accounts that came before, by id; an account is added to them.
 * @throws InvalidError when a member is missing or is not what an export has.
 */
export function otherRecord(line: OtherLine, names: Map<string, string>): TransferRecord | undefined {
  if (line.account !== undefined) {
    const account = accountOf(line.account);
    if (account.kind === 'account') names.set(account.id, account.username);
    return account;
  }
  if (line.keyPair !== undefined) return keyPairOf(line.keyPair, names);
  if (line.document !== undefined) return documentOf(line.document);
  if (line.reaction !== undefined) return reactionOf(line.reaction);
  return undefined;
}

function accountOf({ id, username, passwordHash, issuer }: ExportedAccount): TransferRecord {
  requireTexts({ id, username, passwordHash: passwordHash ?? '', issuer: issuer ?? '' });
  return { kind: 'account', id, username, passwordHash, issuer: issuer ?? null };
}

function keyPairOf(line: ExportedKeyPair, names: ReadonlyMap<string, string>): TransferRecord {
  const { id, account, apiKey, secretKey, label = null, scopes } = line;
  requireTexts({ id, account, apiKey, secretKey: secretKey ?? '', label: label ?? '' });
  if (!Array.isArray(scopes)) throw new InvalidError('its scopes are not a list');
  const username = names.get(account);
  const pair = { id, accountId: account, username, apiKey, secretKey, label };
  return { kind: 'keyPair', ...pair, ...grantOf(new Set(scopes)) };
}

/** What scopes of a source are here. They are sorted, because a second reading must give the same record. */
export function grantOf(given: ReadonlySet<unknown>): Pick<KeyPairRecord, 'scopes' | 'unknownScopes'> {
  const names: readonly unknown[] = knownScopes;
  const unknown = [...given].filter((scope) => !names.includes(scope)).map(String);
  return {
    scopes: knownScopes.filter((scope) => given.has(scope)),
    unknownScopes: unknown.length === 0 ? undefined : unknown.sort(),
  };
}

function documentOf(line: ExportedDocumentLine): TransferRecord {
  const { kind, activityId, agent, registration, id, contentType, updated, content } = line;
  requireTexts({ kind, id, contentType, updated, content });
  requireTexts({ activityId: activityId ?? '', registration: registration ?? '' });
  if (!isDocumentKind(kind)) throw new InvalidError(`there are no documents of the kind ${kind}`);
  const time = timestampToMicroseconds(updated);
  if (!Number.isFinite(time)) throw new InvalidError('its updated is not a time');
  return {
    kind: 'document',
    address: {
      kind,
      activity: activityId,
      agent: agent === undefined ? undefined : identifierOfAny(agent),
      registration,
      id,
    },
    document: { contentType, content: Buffer.from(content, 'base64') },
    updated: time,
  };
}

const isDocumentKind = (kind: string): kind is DocumentKind => Object.hasOwn(documentKinds, kind);

function reactionOf({ title, ruleset, active }: ExportedReaction): TransferRecord {
  requireTexts({ title });
  if (typeof ruleset !== 'object' || ruleset === null) throw new InvalidError('its ruleset is not an object');
  return { kind: 'reaction', title, ruleset: ruleset as JsonObject, active: active === true };
}

/** @throws InvalidError that names the first member that is not a text. */
export function requireTexts(members: Readonly<Record<string, unknown>>): void {
  const wrong = Object.entries(members).find(([, value]) => typeof value !== 'string');
  if (wrong !== undefined) throw new InvalidError(`its ${wrong[0]} is not a text`);
}
