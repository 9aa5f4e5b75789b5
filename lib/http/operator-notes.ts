import { LrsError } from '../errors.ts';
import { identifierOf } from '../xapi/agent.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import type { AdminCall, AuditedCall } from './call.ts';

/** Parameters that say what a call is about; one at most has a value. */
const subjects = ['statementId', 'voidedStatementId', 'stateId', 'profileId'];

/** Parameters that say what is asked for and name nobody. */
const filterNames = [
  'verb',
  'activity',
  'registration',
  'related_activities',
  'related_agents',
  'since',
  'until',
  'ascending',
  'format',
  'attachments',
  'activityId',
  'kind',
  'role',
];

/** Characters of a parameter that the trail keeps. */
const longestValue = 500;

/** Tells the audit trail what a call of the xAPI by an operator is about. */
export function noteXapiCall(call: AuditedCall): void {
  const { query, method, path } = call;
  noteQuery(call);
  const reads = method === 'GET' || method === 'HEAD';
  call.merges = reads || (method === 'POST' && path.endsWith('/statements'));
  const subject =
    attachmentIn(path) ?? subjects.map((name) => query.get(name)).find((value) => value !== null);
  if (typeof subject === 'string') call.subject = subject.slice(0, longestValue);
  const variant = variantOf(call, reads);
  if (variant !== undefined) call.variant = variant;
}

/** The hash in the path of a download. */
const attachmentIn = (path: string): string | undefined => /^\/attachments\/(.+)$/.exec(path)?.[1];

const documentPaths = ['/activities/state', '/activities/profile', '/agents/profile'];

function variantOf({ method, path, query, subject }: AuditedCall, reads: boolean): string | undefined {
  if (documentPaths.some((end) => path.endsWith(end))) {
    if (subject !== undefined) return undefined;
    if (reads) return 'list';
    return method === 'DELETE' ? 'all' : undefined;
  }
  if (!reads || !path.endsWith('/statements')) return undefined;
  if (query.get('attachments') === 'true') return 'attachments';
  return subject === undefined ? undefined : 'single';
}

/**
 * Tells it the filters of a call and the Agent whom they name. What is searched for is a text of any kind, so the trail says
 * only that there was a search.
 */
export function noteQuery(call: AuditedCall): void {
  const { query } = call;
  const filters: Record<string, string> = {};
  for (const name of filterNames) {
    const value = query.get(name);
    if (value !== null && value !== '') filters[name] = value.slice(0, longestValue);
  }
  if (query.get('search')) filters.search = '…';
  call.filters = filters;
  const agent = identifierIn(query.get('agent'));
  if (agent !== undefined) call.agent = agent;
}

/** The same of a page of a list. */
export function noteList(call: AuditedCall): void {
  noteQuery(call);
  call.merges = true;
}

/**
 * Tells it what a change is about before it is made, so that the entry says so even if the server stops meanwhile.
 * @param member of the body.
 */
export function noteMember(member: string): (call: AdminCall) => void {
  return (call) => {
    const value = call.json?.[member];
    if (typeof value === 'string') noteSubject(call, value);
  };
}

export function noteSubject(call: AuditedCall, subject: string): void {
  // Half a character is no text in Postgres, and the action refuses it.
  if (subject.isWellFormed()) call.subject = subject.slice(0, longestValue);
}

/** undefined, too, for what the action will refuse. */
function identifierIn(agent: string | null): string | undefined {
  try {
    return agent === null ? undefined : identifierOf(parseAgentParameter(agent, { allowGroup: true }));
  } catch (error) {
    if (error instanceof LrsError) return undefined;
    throw error;
  }
}
