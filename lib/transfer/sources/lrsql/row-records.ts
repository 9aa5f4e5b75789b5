import type { DocumentAddress, DocumentKind } from '../../../documents/types.ts';
import { InvalidError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/types.ts';
import { identifierOf } from '../../../xapi/agent.ts';
import type { AttachmentPart } from '../../../xapi/statement/attachments.ts';
import { timestampToMicroseconds } from '../../../xapi/timestamp.ts';
import type { Agent } from '../../../xapi/types.ts';
import type { TransferRecord } from '../../records.ts';
import { grantOf, requireTexts } from '../export-records.ts';

/* Rows as lrsql writes them. In SQLite a column may hold values of any type, so each is checked. */

export interface AccountRow {
  readonly id: string;
  readonly username: string;
  readonly passhash: string | null;
  readonly oidc_issuer?: string | null;
}

export interface CredentialRow {
  readonly id: string;
  readonly api_key: string;
  readonly secret_key: string;
  readonly account_id: string;
  readonly label?: string | null;
}

export interface DocumentRow {
  readonly id: string;
  readonly state_id?: string;
  readonly profile_id?: string;
  readonly activity_iri?: string;
  readonly agent_ifi?: string;
  readonly registration?: string | null;
  readonly last_modified: string | Date;
  readonly content_type: string;
  readonly contents: Buffer;
}

export interface StatementRow {
  readonly id: string;
  readonly statement_id: string;
  readonly is_voided: number | boolean;
  readonly payload: string | Buffer | null;
}

export interface AttachmentRow {
  readonly attachment_sha: string;
  readonly content_type: string;
  readonly contents: Buffer;
}

export interface ReactionRow {
  readonly id: string;
  readonly title: string;
  readonly ruleset: string | Buffer;
  /** Null in deleted ones. */
  readonly active: number | boolean | null;
}

/** A row that is not as lrsql writes it is refused, and the others are imported. */
export function readable(read: () => TransferRecord): TransferRecord {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

export function accountOf({
  id,
  username,
  passhash,
  oidc_issuer: issuer = null,
}: AccountRow): TransferRecord {
  requireTexts({ id, username, passhash: passhash ?? '', oidc_issuer: issuer ?? '' });
  return { kind: 'account', id, username, passwordHash: passhash ?? undefined, issuer };
}

/** @param granted the scopes of the key pair. */
export function keyPairOf(
  row: CredentialRow,
  accountNames: ReadonlyMap<string, string>,
  granted: ReadonlySet<unknown>,
): TransferRecord {
  const { id, api_key: apiKey, secret_key: secretKey, account_id: accountId, label = null } = row;
  requireTexts({ id, api_key: apiKey, secret_key: secretKey, account_id: accountId, label: label ?? '' });
  const username = accountNames.get(accountId);
  // lrsql accepts the scope `define`, which permits nothing.
  const grant = grantOf(new Set([...granted].filter((scope) => scope !== 'define')));
  return { kind: 'keyPair', id, accountId, username, apiKey, secretKey, label, ...grant };
}

export function documentOf(row: DocumentRow, kind: DocumentKind): TransferRecord {
  const { activity_iri, agent_ifi, registration, content_type: contentType } = row;
  const id = row.state_id ?? row.profile_id ?? '';
  requireTexts({ id, activity_iri: activity_iri ?? '', agent_ifi: agent_ifi ?? '' });
  requireTexts({ registration: registration ?? '', content_type: contentType });
  const address: DocumentAddress = {
    kind,
    activity: activity_iri,
    agent: agent_ifi === undefined ? undefined : identifierFrom(agent_ifi),
    registration: registration?.toLowerCase(),
    id,
  };
  const updated = microsecondsOf(row.last_modified);
  if (!Number.isFinite(updated)) throw new InvalidError('its last_modified is not a time');
  const document = { contentType, content: bytesIn(row) };
  return { kind: 'document', address, document, updated };
}

/**
 * lrsql writes `account::NAME@HOMEPAGE`: the home page is the last part that begins like an IRI with an authority, behind whose
 * `//` may be another `@`; without one, the last part that begins like an IRI.
 */
function identifierFrom(ifi: string): string {
  const [, name, homePage] =
    /^account::(.*)@([A-Za-z][A-Za-z0-9+.-]*:\/\/.*)$/s.exec(ifi) ??
    /^account::(.*)@([A-Za-z][A-Za-z0-9+.-]*:.*)$/s.exec(ifi) ??
    [];
  if (name !== undefined && homePage !== undefined)
    return identifierOf({ account: { name, homePage } }) ?? ifi;
  const [, kind = '', value = ''] = /^(\w+)::(.*)$/s.exec(ifi) ?? [];
  return identifierOf({ [kind]: value } as Agent) ?? ifi;
}

function microsecondsOf(time: unknown): number {
  if (time instanceof Date) return time.getTime() * 1000;
  return typeof time === 'string' ? timestampToMicroseconds(time.replace(' ', 'T')) : Number.NaN;
}

export function statementOf({ payload, is_voided }: StatementRow, parts: AttachmentPart[]): TransferRecord {
  if (payload === null) throw new InvalidError('its payload is NULL');
  return { kind: 'statement', json: Buffer.from(payload), parts, voided: Boolean(Number(is_voided)) };
}

export function partOf(row: AttachmentRow): AttachmentPart {
  const { attachment_sha: sha2, content_type: contentType } = row;
  requireTexts({ attachment_sha: sha2, content_type: contentType });
  return { sha2, contentType, content: bytesIn(row) };
}

function bytesIn({ contents }: { readonly contents: unknown }): Buffer {
  if (Buffer.isBuffer(contents)) return contents;
  if (typeof contents === 'string') return Buffer.from(contents);
  throw new InvalidError('its contents are not bytes');
}

export function reactionOf({ title, ruleset, active }: ReactionRow): TransferRecord {
  requireTexts({ title });
  return { kind: 'reaction', title, ruleset: rulesetOf(ruleset), active: Boolean(Number(active)) };
}

function rulesetOf(ruleset: unknown) {
  let value: unknown;
  try {
    value = JSON.parse(String(ruleset));
  } catch {
    throw new InvalidError('its ruleset is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new InvalidError('its ruleset is not an object');
}
