import Joi from 'joi';
import { agent } from '../parameters.ts';
import { checked } from '../schema.ts';
import { singleParameters } from '../single-parameters.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import type { Agent } from '../xapi/types.ts';

/** The parameters of GET and HEAD. */
export const agentParameters = Joi.object<{ readonly agent: string }>({
  agent: agent.required().description('The Agent, as JSON.'),
}).messages({ 'string.empty': '{#label} must not be empty' });

/** The Agent of a request (xAPI 1.0.3 Communication 2.4). @throws InvalidError */
export function readAgentParameters(query: URLSearchParams): Agent {
  const given = singleParameters(query, ['agent']);
  const parameters = checked(agentParameters, given, 'xAPI 1.0.3 Communication 2.4');
  return parseAgentParameter(parameters.agent, { allowGroup: false });
}
