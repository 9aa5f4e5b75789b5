import type { Actor, StatementObject } from '../../../../lib/xapi/types.ts';
import { identityOf } from '../../xapi/actor.ts';
import type { Filters } from './filters.ts';

/** The filter for statements with this Agent or identified Group; no filter can name an anonymous Group. */
export function agentFilter(actor: Actor): Filters | undefined {
  const identity = identityOf(actor);
  return identity && { agent: JSON.stringify(identity) };
}

/** The filter for statements with this Object; undefined for a StatementRef or SubStatement. */
export function objectFilter(object: StatementObject): Filters | undefined {
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return agentFilter(object);
    case 'StatementRef':
    case 'SubStatement':
      return undefined;
    default:
      return 'id' in object ? { activity: object.id } : undefined;
  }
}
