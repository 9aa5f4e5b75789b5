import { type ErrorDetail, InvalidError } from '../../lib/errors.ts';
import type { Json } from '../../lib/json/types.ts';
import { validateStatement } from '../../lib/xapi/statement/validate.ts';
import type { XapiVersion } from '../../lib/xapi/types.ts';

export const versions: readonly XapiVersion[] = ['1.0.3', '2.0.0'];

/** The rules that the statement breaks; anything thrown but an InvalidError is thrown on. */
export function problems(statement: Json, version: XapiVersion = '1.0.3'): readonly ErrorDetail[] {
  try {
    validateStatement(statement, { version });
    return [];
  } catch (error) {
    if (error instanceof InvalidError) return error.details;
    throw error;
  }
}

/** `actor.member.0.mbox` as a client reads it: `statement.actor.member[0].mbox`. */
export function clientPath(path: string): string {
  return `statement.${path}`.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
}
