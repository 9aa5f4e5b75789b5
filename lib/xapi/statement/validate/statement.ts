import type { Statement, StatementObject, SubStatement } from '../../types.ts';
import { minorVersionOf } from '../../version.ts';
import { voidedVerb } from '../reference.ts';
import { checkActor, checkAuthority } from './actor.ts';
import { checkAttachments } from './attachment.ts';
import { type Check, isObject, objectOf, oneOf, required, textOf } from './check.ts';
import { checkContext } from './context.ts';
import type { Inspection } from './inspection.ts';
import { checkPlainObject, isSubStatement } from './object.ts';
import { checkResult } from './result.ts';
import { checkTimestamp, checkUuid } from './value.ts';
import { checkVerb } from './verb.ts';

const checkSubStatementObject: Check<SubStatement['object']> = (
  value,
  inspection,
): value is SubStatement['object'] =>
  isSubStatement(value)
    ? inspection.refuse('statement as object', 'must not be "SubStatement" in a SubStatement', 'objectType')
    : checkPlainObject(value, inspection);

const checkStatementObject: Check<StatementObject> = (value, inspection): value is StatementObject =>
  isSubStatement(value) ? checkSubStatement(value, inspection) : checkPlainObject(value, inspection);

/** The object decides what the Verb and the context may be. */
function checkAcross(statement: Readonly<Record<string, unknown>>, inspection: Inspection): void {
  const { verb, object, context } = statement;
  if (!isObject(object)) return;
  const { objectType = 'Activity' } = object;
  if (isObject(verb) && verb.id === voidedVerb && objectType !== 'StatementRef') {
    inspection.refuse('voiding', 'must be "StatementRef" with the verb "voided"', 'object', 'objectType');
  }
  if (!isObject(context) || objectType === 'Activity') return;
  for (const property of ['revision', 'platform']) {
    if (context[property] !== undefined) {
      inspection.refuse('context', 'must only be used when the object is an Activity', 'context', property);
    }
  }
}

const commonProperties = {
  actor: required(checkActor),
  verb: required(checkVerb),
  result: checkResult,
  context: checkContext,
  timestamp: checkTimestamp,
  attachments: checkAttachments,
};

const outerOnly = 'only the Statement around a SubStatement has it';

const checkSubStatement = objectOf<SubStatement>({
  noun: 'a SubStatement',
  subject: 'statement as object',
  properties: {
    ...commonProperties,
    objectType: required(oneOf(['SubStatement'], 'statement as object')),
    object: required(checkSubStatementObject),
  },
  forbidden: { id: outerOnly, stored: outerOnly, version: outerOnly, authority: outerOnly },
  across: checkAcross,
});

const checkVersion1 = textOf(
  (text) => minorVersionOf(text) === '1.0',
  'version',
  'must be 1.0.0 or start with 1.0.',
);
const checkVersion1or2 = textOf(
  (text) => minorVersionOf(text) !== undefined,
  'version',
  'must be 2.0.0 or start with 2.0. or 1.0.',
);

/** `1.0` counts as 1.0.0, as in the header of a request, whose format the property has (xAPI 1.0.3 Data 2.4.10). 2.0.0 takes Statements of earlier versions too: "should not reject a Statement that is otherwise valid except the version". */
const checkVersion: Check<string> = (value, inspection): value is string =>
  inspection.version === '1.0.3' ? checkVersion1(value, inspection) : checkVersion1or2(value, inspection);

export const checkStatement = objectOf<Statement>({
  noun: 'a Statement',
  subject: 'statement',
  properties: {
    ...commonProperties,
    id: checkUuid,
    object: required(checkStatementObject),
    stored: checkTimestamp,
    authority: checkAuthority,
    version: checkVersion,
  },
  across: checkAcross,
});
