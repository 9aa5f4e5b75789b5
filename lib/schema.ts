import type Joi from 'joi';
import { type ErrorDetail, InvalidError } from './errors.ts';

/**
 * The value as the schema describes it: converted, with defaults. Every mistake is reported, not only the first.
 * @throws InvalidError with one detail per mistake; a detail never repeats the value, which may be a secret.
 */
export function checked<T>(schema: Joi.Schema<T>, value: unknown): T {
  const result = schema.validate(value, { abortEarly: false, errors: { wrap: { label: false } } });
  if (result.error === undefined) return result.value;
  const details = result.error.details.map(
    (detail): ErrorDetail => ({ path: pathText(detail.path), message: detail.message }),
  );
  throw new InvalidError(details.map((detail) => detail.message).join('; '), { details });
}

function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
