import type { StatementQuery } from '../../lib/statements/types.ts';
import type { Activity, Actor, Statement, StatementObject } from '../../lib/xapi/types.ts';
import { voidedVerb } from './statements.ts';

/**
 * What the store should find, worked out the slow way: one pass over all statements for each question, following
 * references each time (xAPI 1.0.3 Communication 2.1.3). Statements are in the order in which they were stored.
 */
export class StatementOracle {
  readonly #statements: Statement[] = [];
  readonly #byId = new Map<string | undefined, Statement>();
  readonly #voided = new Set<string | undefined>();

  add(...statements: readonly Statement[]): void {
    for (const statement of statements) {
      this.#statements.push(statement);
      this.#byId.set(statement.id, statement);
      const { verb, object } = statement;
      if (verb.id === voidedVerb && 'id' in object) this.#voided.add(object.id);
    }
  }

  find(query: Partial<StatementQuery>): string[] {
    const ids = this.#statements
      .filter((statement) => !this.#isVoided(statement) && this.#passes(statement, query))
      .map(({ id }) => String(id));
    return query.ascending ? ids : ids.reverse();
  }

  #isVoided(statement: Statement): boolean {
    return statement.verb.id !== voidedVerb && this.#voided.has(statement.id);
  }

  #passes(statement: Statement, query: Partial<StatementQuery>): boolean {
    const { agent, verb, activity, registration, authority } = query;
    const { relatedAgents = false, relatedActivities = false } = query;
    const chain = this.#chainOf(statement, authority);
    return (
      (authority === undefined || nameOf(statement.authority) === nameOf(authority)) &&
      (agent === undefined || chain.some((each) => agentsOf(each, relatedAgents).has(nameOf(agent)))) &&
      (verb === undefined || chain.some((each) => each.verb.id === verb)) &&
      (activity === undefined || chain.some((each) => activitiesOf(each, relatedActivities).has(activity))) &&
      (registration === undefined || chain.some((each) => each.context?.registration === registration))
    );
  }

  /** The statement and all that it refers to, directly or not; with an authority as far as that vouches for them. */
  #chainOf(statement: Statement, authority: Actor | undefined): Statement[] {
    const chain: Statement[] = [];
    for (let next: Statement | undefined = statement; next && !chain.includes(next); ) {
      if (authority !== undefined && nameOf(next.authority) !== nameOf(authority)) break;
      chain.push(next);
      const { object }: Statement = next;
      next = object.objectType === 'StatementRef' ? this.#byId.get(object.id) : undefined;
    }
    return chain;
  }
}

function nameOf(actor: Actor | undefined): string {
  const { mbox, mbox_sha1sum, openid, account } = actor ?? {};
  return mbox ?? mbox_sha1sum ?? openid ?? (account ? `${account.name}@${account.homePage}` : '');
}

function withMembers(actor: Actor | undefined): string[] {
  const members = actor?.objectType === 'Group' ? (actor.member ?? []) : [];
  return [actor, ...members].map(nameOf).filter((name) => name !== '');
}

function isActor(object: StatementObject): object is Actor {
  return object.objectType === 'Agent' || object.objectType === 'Group';
}

function agentsOf(statement: Statement, related: boolean): Set<string> {
  const { actor, object, context, authority } = statement;
  const names = [...withMembers(actor), ...(isActor(object) ? withMembers(object) : [])];
  if (!related) return new Set(names);
  names.push(...withMembers(context?.instructor), ...withMembers(context?.team), ...withMembers(authority));
  if (object.objectType === 'SubStatement') {
    names.push(...agentsOf({ ...object, object: object.object }, true));
  }
  return new Set(names);
}

function activitiesOf(statement: Statement, related: boolean): Set<string> {
  const { object, context } = statement;
  const ids = isActivity(object) ? [object.id] : [];
  if (!related) return new Set(ids);
  for (const role of Object.values(context?.contextActivities ?? {})) {
    ids.push(...[role].flat().map((activity) => ('id' in activity ? activity.id : '')));
  }
  if (object.objectType === 'SubStatement')
    ids.push(...activitiesOf({ ...object, object: object.object }, true));
  return new Set(ids);
}

function isActivity(object: StatementObject): object is Activity {
  return object.objectType === 'Activity' || object.objectType === undefined;
}
