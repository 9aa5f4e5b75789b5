import type { SharedTrees } from '../json/shared-trees.ts';
import { TextSet } from '../text-map.ts';
import type { Actor, Agent, Person } from './types.ts';

/**
 * One text for the identity of an Agent or identified Group, the same for all that are equal (xAPI 1.0.3 Communication
 * 2.1.3, "agent"); undefined for an anonymous Group. Values count exactly as they are (xAPI 1.0.3 Data 2.2), hex digits
 * of `mbox_sha1sum` too, except the domain of an e-mail address, which is case-insensitive (Data 2.4.2.3).
 * @param trees keep the results for shared Agents.
 */
export function identifierOf(actor: Actor, trees?: SharedTrees): string | undefined {
  return trees === undefined ? identifier(actor) : trees.once(actor, identifier);
}

function identifier(actor: Actor): string | undefined {
  if (actor.mbox !== undefined) return `mbox::${withLowerCaseDomain(actor.mbox)}`;
  if (actor.mbox_sha1sum !== undefined) return `mbox_sha1sum::${actor.mbox_sha1sum}`;
  if (actor.openid !== undefined) return `openid::${actor.openid}`;
  if (actor.account === undefined) return undefined;
  return `account::${actor.account.name}@${unambiguous(actor.account.homePage)}`;
}

/** The Agent with this identifier: the other way round. */
export function agentOf(identifier: string): Agent {
  const [, kind = '', value = ''] = /^(\w+)::(.*)$/s.exec(identifier) ?? [];
  if (kind !== 'account') return { [kind]: value };
  const [, name = '', homePage = ''] = /^(.*)@(?!>)(.*)$/s.exec(value) ?? [];
  return { account: { name, homePage: homePage.replaceAll('@>', '@') } };
}

/**
 * The identifiers of an Agent, or of a Group and its members, each once: a Group is found by its members too.
 * @param trees keep the results for shared Agents and Groups.
 */
export function identifiersOf(actor: Actor, trees?: SharedTrees): readonly string[] {
  return trees === undefined ? identifiers(actor) : trees.once(actor, identifiers);
}

function identifiers(actor: Actor, trees?: SharedTrees): readonly string[] {
  const own = identifierOf(actor, trees);
  if (actor.objectType !== 'Group' || actor.member === undefined) return own === undefined ? [] : [own];
  const all = new TextSet(own === undefined ? [] : [own]);
  for (const member of actor.member) {
    const each = identifierOf(member, trees);
    if (each !== undefined) all.add(each);
  }
  return [...all];
}

/**
 * The Agent as a Person (xAPI 1.0.3 Communication 2.4).
 * @param names those that are known; without any, the Agent's own.
 */
export function personOf(agent: Agent, names: readonly string[]): Person {
  const { mbox, mbox_sha1sum, openid, account } = agent;
  const ownName = agent.name === undefined ? [] : [agent.name];
  const name = names.length > 0 ? names : ownName;
  return {
    objectType: 'Person',
    ...(name.length > 0 && { name }),
    ...(mbox !== undefined && { mbox: [mbox] }),
    ...(mbox_sha1sum !== undefined && { mbox_sha1sum: [mbox_sha1sum] }),
    ...(openid !== undefined && { openid: [openid] }),
    ...(account !== undefined && { account: [account] }),
  };
}

/** The mailto IRI with the part after the last `@` in lower case. */
export function withLowerCaseDomain(mbox: string): string {
  const domain = mbox.lastIndexOf('@') + 1;
  return mbox.slice(0, domain) + mbox.slice(domain).toLowerCase();
}

/**
 * Names may hold `@` and so may home pages, so two accounts could share one text. No IRI holds `>`: with one behind each
 * `@` of the home page, the last bare `@` always ends the name.
 */
function unambiguous(homePage: string): string {
  return homePage.includes('@') ? homePage.replaceAll('@', '@>') : homePage;
}
