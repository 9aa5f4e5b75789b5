import Joi from 'joi';
import { timestamp } from '../parameters.ts';
import { checked } from '../schema.ts';
import { timestampToMicroseconds } from '../xapi/timestamp.ts';
import {
  type StatusMember,
  type StatusQuery,
  statusMembers,
  storeStatusMembers,
  type TimelineUnit,
  timelineUnits,
  usualMembers,
} from './types.ts';

interface Parameters {
  readonly include: readonly StatusMember[];
  readonly 'timeline-unit': TimelineUnit;
  readonly 'timeline-since'?: number;
  readonly 'timeline-until'?: number;
}

/** As in lrsql: times before the epoch, when nothing was ever stored, are refused. */
const timeOfTimeline = timestamp.custom((value: unknown, helpers) =>
  typeof value === 'number' && timestampToMicroseconds(helpers.original) < 0
    ? helpers.message({ custom: '{#label} must not be before 1970-01-01T00:00:00Z' })
    : value,
);

export const statusParameters = Joi.object<Parameters>({
  include: Joi.array()
    .items(Joi.string().valid(...statusMembers))
    .default([...usualMembers])
    .description(
      'What to count; may be repeated. Without it all up to timeline. Only the default store has database-server and replicas.',
    ),
  'timeline-unit': Joi.string()
    .valid(...timelineUnits)
    .default('day')
    .description('How long an entry of the timeline is.'),
  'timeline-since': timeOfTimeline.description('Where the timeline begins; 14 days ago without it.'),
  'timeline-until': timeOfTimeline.description('Where it ends; now without it.'),
});

/** Operators of other stores are told nothing about servers. */
const parametersOfOtherStores = statusParameters.keys({
  include: Joi.array()
    .items(Joi.string().valid(...storeStatusMembers))
    .default([...usualMembers]),
});

/**
 * The parameters of the status route: `include` may be repeated, but each of its values counts once; unknown parameters are
 * ignored, as in lrsql.
 * @throws InvalidError
 */
export function readStatusParameters(
  query: URLSearchParams,
  { ofDefaultStore }: { readonly ofDefaultStore: boolean },
): StatusQuery {
  const given: Record<string, string | string[]> = {};
  const include = [...new Set(query.getAll('include'))];
  if (include.length > 0) given.include = include;
  for (const name of ['timeline-unit', 'timeline-since', 'timeline-until']) {
    const value = query.get(name);
    if (value !== null) given[name] = value;
  }
  const parameters = ofDefaultStore ? statusParameters : parametersOfOtherStores;
  const { include: members, ...timeline } = checked(parameters, given);
  const { 'timeline-unit': unit, 'timeline-since': since, 'timeline-until': until } = timeline;
  return { members, unit, ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}
