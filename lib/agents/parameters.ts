import Joi from 'joi';
import { singleParameters } from '../parameters.ts';
import { checked } from '../schema.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import type { Agent } from '../xapi/types.ts';

const schema = Joi.object<{ readonly agent: string }>({ agent: Joi.string().required() }).messages({
  'string.empty': '{#label} must not be empty',
});

/** The Agent of a request (xAPI 1.0.3 Communication 2.4). @throws InvalidError */
export function readAgentParameters(query: URLSearchParams): Agent {
  const { agent } = checked(schema, singleParameters(query, ['agent']));
  return parseAgentParameter(agent, { allowGroup: false });
}
