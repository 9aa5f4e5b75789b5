import type { NameMention } from '../xapi/mentions.ts';
import type { Agent, Person } from '../xapi/types.ts';

/** A name and the position of the statement that it was seen in. */
export interface SeenName extends NameMention {
  readonly position: number;
}

/** What the Agents resource asks of the store (xAPI 1.0.3 Communication 2.4). */
export interface AgentService {
  /** The Agent with every name that statements gave it; without any, with the name in the request. */
  person(agent: Agent): Promise<Person>;
}
