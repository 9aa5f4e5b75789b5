import { InvalidError } from '../errors.ts';
import { parseJson } from '../json/json.ts';
import type { Json } from '../json/types.ts';
import { checkActor, checkAgent, hasIdentifier } from './statement/validate/actor.ts';
import type { Check } from './statement/validate/check.ts';
import { Inspection } from './statement/validate/inspection.ts';
import type { Actor, Agent } from './types.ts';

function parse(text: string): Json {
  try {
    return parseJson(Buffer.from(text)).value;
  } catch (cause) {
    const reason = cause instanceof InvalidError ? ` ${cause.message}` : '';
    throw new InvalidError(`The parameter agent must be the JSON of an Agent.${reason}`, { cause });
  }
}

/**
 * Reads the `agent` parameter of a request: the JSON of an Agent or, with `allowGroup` (only the statement resource has it), of
 * an Identified Group. It keeps the rules of Agents in Statements (xAPI 1.0.3 Data 2.2, Communication 2.1.3).
 * @throws InvalidError whose details have paths such as `agent.mbox`.
 */
export function parseAgentParameter(text: string, options: { readonly allowGroup: false }): Agent;
export function parseAgentParameter(text: string, options: { readonly allowGroup: boolean }): Actor;
export function parseAgentParameter(text: string, { allowGroup }: { readonly allowGroup: boolean }): Actor {
  const value = parse(text);
  const inspection = new Inspection('agent', '1.0.3');
  const check: Check<Actor> = allowGroup ? checkActor : checkAgent;
  if (check(value, inspection)) {
    if (hasIdentifier(value)) return value;
    inspection.refuse(
      'group',
      'must have one of mbox, mbox_sha1sum, openid and account to identify the Group',
    );
  }
  throw inspection.error();
}
