import { isMailbox, isMailboxHash } from '../../mailbox.ts';
import type { Account, Actor, Agent, Group } from '../../types.ts';
import {
  arrayOf,
  type Check,
  checkBelow,
  isObject,
  objectOf,
  onceOf,
  oneOf,
  required,
  textOf,
} from './check.ts';
import type { Inspection } from './inspection.ts';
import { checkIri, checkText } from './value.ts';

const identifiers = ['mbox', 'mbox_sha1sum', 'openid', 'account'] as const;

export function hasIdentifier(
  actor: Readonly<Partial<Record<(typeof identifiers)[number], unknown>>>,
): boolean {
  return identifiers.some((key) => actor[key] !== undefined);
}

const checkAccount = objectOf<Account>({
  noun: 'an account',
  subject: 'account',
  properties: { homePage: required(checkIri), name: required(checkText) },
});

const commonProperties = {
  name: checkText,
  mbox: textOf(isMailbox, 'identifier', 'must be a mailto IRI such as mailto:ann@example.org'),
  mbox_sha1sum: textOf(isMailboxHash, 'identifier', 'must be the 40 hex digits of a SHA-1 hash'),
  openid: checkIri,
  account: checkAccount,
};

function checkSingleIdentifier(actor: Readonly<Record<string, unknown>>, inspection: Inspection): void {
  const present = identifiers.filter((key) => actor[key] !== undefined);
  if (present.length > 1) {
    inspection.refuse(
      'identifier',
      `must have only one of mbox, mbox_sha1sum, openid and account, not ${present.join(' and ')}`,
    );
  }
}

export const checkAgent = objectOf<Agent>({
  noun: 'an Agent',
  subject: 'agent',
  properties: { ...commonProperties, objectType: oneOf(['Agent'], 'agent') },
  forbidden: { member: 'only a Group has members, and it needs "objectType": "Group"' },
  across(agent, inspection) {
    checkSingleIdentifier(agent, inspection);
    if (!hasIdentifier(agent)) {
      inspection.refuse(
        'agent',
        'must have one of mbox, mbox_sha1sum, openid and account to identify the Agent',
      );
    }
  },
});

const checkMember: Check<Agent> = (value, inspection): value is Agent =>
  isObject(value) && value.objectType === 'Group'
    ? inspection.refuse('group', 'must be "Agent": a Group cannot be a member of a Group', 'objectType')
    : checkAgent(value, inspection);

/** An Identified Group, or an Anonymous one, which has members and no identifier. */
export const checkGroup = objectOf<Group>({
  noun: 'a Group',
  subject: 'group',
  properties: {
    ...commonProperties,
    objectType: required(oneOf(['Group'], 'group')),
    member: arrayOf(checkMember, { noun: 'Agents', subject: 'group' }),
  },
  across(group, inspection) {
    checkSingleIdentifier(group, inspection);
    if (!hasIdentifier(group) && group.member === undefined) {
      inspection.refuse(
        'group',
        'is required in a Group without mbox, mbox_sha1sum, openid or account (an Anonymous Group)',
        'member',
      );
    }
  },
});

const checkActorType = oneOf(['Agent', 'Group'], 'agent');

export const checkActor: Check<Actor> = onceOf((value, inspection): value is Actor => {
  if (!isObject(value)) return inspection.mismatch('agent', 'must be an Agent or a Group, an object', value);
  if (value.objectType === 'Group') return checkGroup(value, inspection);
  if (value.objectType === undefined || value.objectType === 'Agent') return checkAgent(value, inspection);
  checkBelow('objectType', value.objectType, checkActorType, inspection);
  return false;
});

function isIdentifiedByAccount(value: unknown): boolean {
  return isObject(value) && value.account !== undefined;
}

/**
 * An Agent, or the pair of application and user that three-legged OAuth yields; the application is known by its account
 * (xAPI 1.0.3 Data 2.4.9).
 */
export const checkAuthority: Check<Actor> = (value, inspection): value is Actor => {
  const before = inspection.problems;
  if (!checkActor(value, inspection) || value.objectType !== 'Group') return inspection.problems === before;
  if (hasIdentifier(value)) {
    inspection.refuse('authority', 'must be an Agent or an Anonymous Group of two Agents');
  }
  if (value.member?.length !== 2) {
    inspection.refuse('authority', 'must have exactly two Agents, the application and the user', 'member');
  } else if (!value.member.some(isIdentifiedByAccount)) {
    inspection.refuse('authority', 'must have an Agent with an account, the OAuth consumer', 'member');
  }
  return inspection.problems === before;
};
