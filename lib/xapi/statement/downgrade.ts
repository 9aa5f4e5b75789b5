import type { Context, Statement, SubStatement } from '../types.ts';
import { minorVersionOf } from '../version.ts';

/**
 * A statement of xAPI 2.0 as one of 1.0.3: without the members that 1.0.3 does not know, in its SubStatement too, with a `T` in
 * each timestamp, and with the version that 1.0.3 has for its statements (xAPI 1.0.3 Data 2.4.10). Gives the same object when
 * it is of 1.0.x already.
 */
export function toVersion1(statement: Statement): Statement {
  const { version, object } = statement;
  if (version === undefined || minorVersionOf(version) === '1.0') return statement;
  const known = { ...withKnownMembers(statement), version: '1.0.0' };
  return object.objectType === 'SubStatement' ? { ...known, object: withKnownMembers(object) } : known;
}

function withKnownMembers<Owner extends Statement | SubStatement>(owner: Owner): Owner {
  const known = { ...owner };
  if (owner.timestamp !== undefined) Object.assign(known, { timestamp: owner.timestamp.replace(' ', 'T') });
  if (owner.context === undefined) return known;
  const context = knownContext(owner.context);
  if (Object.keys(context).length > 0) return { ...known, context };
  Reflect.deleteProperty(known, 'context');
  return known;
}

function knownContext({ contextAgents: _, contextGroups: __, ...context }: Context): Context {
  return context;
}
