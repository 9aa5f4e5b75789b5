import Joi from 'joi';
import { isIri } from './xapi/iri.ts';
import { isTimestamp, timestampToMicroseconds } from './xapi/timestamp.ts';
import { isUuid } from './xapi/uuid.ts';

/*
 * What the query parameters of all xAPI resources have in common. What a rule in code means in JSON Schema is said in `meta`,
 * for the OpenAPI document.
 */

/** A UUID; lower case afterwards. */
export const uuid = Joi.string()
  .custom((value: string, helpers) =>
    isUuid(value) ? value.toLowerCase() : helpers.message({ custom: '{#label} must be a UUID' }),
  )
  .meta({ jsonSchema: { format: 'uuid' } });

export const iri = Joi.string()
  .custom((value: string, helpers) =>
    isIri(value) ? value : helpers.message({ custom: '{#label} must be an IRI' }),
  )
  .meta({ jsonSchema: { format: 'iri' } });

/**
 * A timestamp; microseconds since the epoch afterwards, none before it. Both versions' forms are taken; finer
 * digits make no difference to comparisons with times that have none.
 */
export const timestamp = Joi.string()
  .custom((value: string, helpers) =>
    isTimestamp(value, '1.0.3') || isTimestamp(value, '2.0.0')
      ? microsecondsOf(value)
      : helpers.message({
          custom: '{#label} must be a timestamp such as 2015-11-18T12:17:00Z',
        }),
  )
  .meta({ jsonSchema: { format: 'date-time' } });

/** No engine keeps U+0000 in a text. */
export const textWithoutNul = Joi.string().custom((value: string, helpers) =>
  value.includes('\0')
    ? helpers.message({ custom: '{#label} must not contain the character U+0000' })
    : value,
);

/** The same without half of a surrogate pair, which has no UTF-8: U+FFFD would be stored in its place. */
export const wellFormedText = textWithoutNul.custom((value: string, helpers) =>
  value.isWellFormed()
    ? value
    : helpers.message({ custom: '{#label} must not contain half of a surrogate pair' }),
);

/** An Agent or Group as JSON text; `parseAgentParameter` reads it. */
export const agent = Joi.string().meta({ jsonSchema: { contentMediaType: 'application/json' } });

function microsecondsOf(timestampText: string): number {
  const microseconds = timestampToMicroseconds(timestampText);
  return Math.max(0, Math.min(microseconds, Number.MAX_SAFE_INTEGER));
}
