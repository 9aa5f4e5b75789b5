import Joi from 'joi';
import { checked } from '../schema.ts';
import { isMediaType } from '../xapi/media-type.ts';
import type { Announced } from './types.ts';

const hash = Joi.string()
  .pattern(/^[0-9a-fA-F]{64}$/)
  .messages({ 'string.pattern.base': '{#label} must be the 64 hex digits of a SHA-256 hash' });

/** What a client says of an attachment before it uploads it. */
export const announcementSchema = Joi.object<Announced>({
  sha2: hash
    .lowercase()
    .required()
    .description('SHA-256 hash of the content in hex digits, as the statement will name it.')
    .meta({ jsonSchema: { pattern: '^[0-9a-fA-F]{64}$' } }),
  length: Joi.number().integer().min(1).required().description('Length of the content in bytes.'),
  contentType: Joi.string()
    .required()
    .custom((value: string, helpers) =>
      isMediaType(value) ? value : helpers.message({ custom: '{#label} must be a media type' }),
    )
    .description('Media type of the content, as the statement will name it.'),
});

export const readAnnouncement = (body: unknown): Announced => checked(announcementSchema, body);
