import Joi from 'joi';
import { iri, singleParameters } from '../parameters.ts';
import { checked } from '../schema.ts';

const schema = Joi.object<{ readonly activityId: string }>({ activityId: iri.required() }).messages({
  'string.empty': '{#label} must not be empty',
});

/** The id in a request for an Activity (xAPI 1.0.3 Communication 2.5). @throws InvalidError */
export function readActivityParameters(query: URLSearchParams): string {
  return checked(schema, singleParameters(query, ['activityId'])).activityId;
}
