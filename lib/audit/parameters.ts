import Joi from 'joi';
import { singleParameters } from '../parameters.ts';
import { checked } from '../schema.ts';
import type { AuditPlace, AuditQuery } from './types.ts';

const mostEvents = 1000;
const usualEvents = 100;

const cursor = /^(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The query parameters of `GET /admin/audit`. */
export const auditParametersSchema = Joi.object<{ readonly limit: number; readonly from?: string }>({
  limit: Joi.number()
    .integer()
    .min(1)
    .max(mostEvents)
    .default(usualEvents)
    .description('Most events on a page.'),
  from: Joi.string()
    .pattern(cursor)
    .messages({ 'string.pattern.base': '{#label} must come from the member more of an answer' })
    .description('Where a page continues; it comes from `more`.'),
});

/** @throws InvalidError for a parameter that is not known, occurs twice or does not fit. */
export function readAuditParameters(query: URLSearchParams): AuditQuery {
  const { limit, from } = checked(auditParametersSchema, singleParameters(query, ['limit', 'from']));
  const [, at, id = ''] = cursor.exec(from ?? '') ?? [];
  return { limit, before: at === undefined ? undefined : { at: Number(at), id } };
}

/** The query string of the next page. */
export function nextAuditPage(limit: number, { at, id }: AuditPlace): string {
  return new URLSearchParams({ limit: String(limit), from: `${at}-${id}` }).toString();
}
