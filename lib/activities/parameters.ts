import Joi from 'joi';
import { iri } from '../parameters.ts';
import { checked } from '../schema.ts';
import { singleParameters } from '../single-parameters.ts';

/** The parameters of GET and HEAD. */
export const activityParameters = Joi.object<{ readonly activityId: string }>({
  activityId: iri.required().description('The id of the Activity.'),
}).messages({ 'string.empty': '{#label} must not be empty' });

/** The id in a request for an Activity (xAPI 1.0.3 Communication 2.5). @throws InvalidError */
export function readActivityParameters(query: URLSearchParams): string {
  const parameters = singleParameters(query, ['activityId']);
  return checked(activityParameters, parameters, 'xAPI 1.0.3 Communication 2.5').activityId;
}
