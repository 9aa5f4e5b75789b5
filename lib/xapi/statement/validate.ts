import type { SharedTrees } from '../../json/shared-trees.ts';
import type { Json } from '../../json/types.ts';
import type { Statement, XapiVersion } from '../types.ts';
import { Inspection } from './validate/inspection.ts';
import { checkStatement } from './validate/statement.ts';

export interface ValidationOptions {
  /** Whose rules the statement must keep. */
  readonly version: XapiVersion;
  /** How the client calls the value, e.g. `statements[3]`; `statement` if not given. */
  readonly path?: string;
  /** Remember which shared parts have passed, so that they are not checked again. */
  readonly trees?: SharedTrees | undefined;
}

/**
 * Checks a parsed JSON value by every rule of xAPI 1.0.3 Data 2.2 to 2.4 and 4, or of xAPI 2.0.0 section 4.2.
 * @returns the same value, typed.
 * @throws InvalidError whose `details` name up to 20 broken rules, each with its path and section; the message is the first.
 */
export function validateStatement(
  value: Json,
  { version, path = 'statement', trees }: ValidationOptions,
): Statement {
  const inspection = new Inspection(path, version, trees);
  if (checkStatement(value, inspection)) return value;
  throw inspection.error();
}
