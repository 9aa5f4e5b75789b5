import { isMailbox } from '../../../lib/xapi/mailbox.ts';
import type { Actor, Agent, Group } from '../../../lib/xapi/types.ts';

/** The identifiers that an Agent or Group can have (xAPI 1.0.3 Data 2.4.2.3). */
export const identifierKinds = ['mbox', 'account', 'mbox_sha1sum', 'openid'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

/** Of an anonymous Group there is none. */
export function identifierKindOf(actor: Actor): IdentifierKind | undefined {
  return identifierKinds.find((kind) => actor[kind] !== undefined);
}

/** The identifier as people read it: `ann@example.org`, or `ann (https://example.org)` for an account. */
export function identifierText({ mbox, mbox_sha1sum, openid, account }: Actor): string | undefined {
  if (mbox !== undefined) return mbox.replace(/^mailto:/, '');
  if (account !== undefined) return `${account.name} (${account.homePage})`;
  return mbox_sha1sum ?? openid;
}

/** The Agent or identified Group with nothing but what identifies it, as the parameter `agent` takes it. */
export function identityOf(actor: Actor): Actor | undefined {
  const kind = identifierKindOf(actor);
  if (kind === undefined) return undefined;
  return { ...(isGroup(actor) && { objectType: 'Group' }), [kind]: actor[kind] };
}

export function isGroup(actor: Actor): actor is Group {
  return actor.objectType === 'Group';
}

/** What somebody who names an Agent has typed so far; `json` is any JSON, for all that the other kinds leave out. */
export interface AgentDraft {
  readonly kind: IdentifierKind | 'json';
  /** The address, name of the account, hash, OpenID or JSON. */
  readonly value: string;
  /** Of an account. */
  readonly homePage: string;
}

export const emptyDraft: AgentDraft = { kind: 'mbox', value: '', homePage: '' };

/** The Agent as JSON text; empty as long as its identifier is not complete. */
export function jsonOfDraft({ kind, value, homePage }: AgentDraft): string {
  const text = value.trim();
  if (text === '' || kind === 'json') return text;
  if (kind === 'mbox') return JSON.stringify({ mbox: mboxOf(text) });
  if (kind !== 'account') return JSON.stringify({ [kind]: text });
  const place = homePage.trim();
  return place === '' ? '' : JSON.stringify({ account: { homePage: place, name: text } });
}

/** What is no mail address stays as it was typed: that is what the server then quotes. */
function mboxOf(text: string): string {
  const mbox = `mailto:${text}`;
  return isMailbox(mbox) ? mbox : text;
}

/** The other way round. JSON that says more than one identifier stays JSON. */
export function draftOfJson(json: string): AgentDraft {
  if (json === '') return emptyDraft;
  const draft = plainDraft(agentIn(json) ?? {});
  return draft ?? { kind: 'json', value: json, homePage: '' };
}

function plainDraft(agent: Agent): AgentDraft | undefined {
  const [kind] = identifierKinds.filter((each) => each in agent);
  if (kind === undefined || Object.keys(agent).length > 1) return undefined;
  const { account } = agent;
  if (account !== undefined) return { kind, value: account.name, homePage: account.homePage };
  const { mbox } = agent;
  const isOdd = mbox !== undefined && !isMailbox(mbox);
  return { kind, value: isOdd ? mbox : (identifierText(agent) ?? ''), homePage: '' };
}

/** The Agent that a JSON text may hold: an object at least, whose identifiers can be read. */
export function agentIn(json: string): Agent | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isReadable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isReadable(value: unknown): value is Agent {
  if (!isObject(value)) return false;
  return identifierKinds.every((kind) => {
    const identifier = value[kind];
    if (kind !== 'account') return identifier === undefined || typeof identifier === 'string';
    return identifier === undefined || isAccount(identifier);
  });
}

function isAccount(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && typeof value.homePage === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
