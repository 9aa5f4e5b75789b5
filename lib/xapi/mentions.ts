import { countValues } from '../json/heap-size.ts';
import { printJson } from '../json/json.ts';
import type { SharedTrees } from '../json/shared-trees.ts';
import { activitiesOf } from './activity.ts';
import { identifierOf, identifiersOf } from './agent.ts';
import {
  type Activity,
  type ActivityDefinition,
  type Actor,
  type Context,
  contextActivityRoles,
  type Statement,
  type StatementObject,
  type SubStatement,
} from './types.ts';

/** An Agent was called by this name. */
export interface NameMention {
  /** As `identifierOf` gives it. */
  readonly identifier: string;
  readonly name: string;
}

interface PrintedDefinition {
  /** The JSON text of the definition, every number in it as it came. */
  readonly text: string;
  /** How many JSON values are in it: languages, extensions and what is in them. */
  readonly values: number;
}

/** An Activity was defined like this. */
export interface DefinitionMention extends PrintedDefinition {
  readonly activity: string;
}

/** What a statement tells about the Agents and Activities in it, and where it comes from. */
export interface Mentions {
  /** The identifiers of its Actor, a Group's members included. */
  readonly actors: readonly string[];
  /** The identifiers of all Agents and identified Groups in it, whatever their roles; some more than once. */
  readonly agents: readonly string[];
  /** Its `context.platform`. */
  readonly platform: string | undefined;
  /** The id of its Verb. */
  readonly verb: string;
  /** The id of the Activity that is its Object. */
  readonly activity: string | undefined;
  readonly names: readonly NameMention[];
  /** Of several definitions of one Activity the last one counts as the newest: that of the Object. */
  readonly definitions: readonly DefinitionMention[];
}

/** What the statement at a position tells; positions rise with time. */
export interface PlacedMentions {
  readonly position: number;
  readonly mentions: Mentions;
}

/**
 * The names of all Agents, members of Groups included, and the definitions of all Activities in a statement, whatever
 * their roles, in its SubStatement too.
 * @param statement its source tree.
 * @param authority the one that it was stored by, whatever it says itself.
 * @param trees keep what is computed from shared parts.
 */
export function mentionsOf(
  statement: Statement,
  authority: Actor | undefined,
  trees?: SharedTrees,
): Mentions {
  const mentions = new Collector(statement, trees);
  mentions.addRoles(statement);
  if (authority !== undefined) mentions.addActor(authority);
  return mentions;
}

class Collector implements Mentions {
  readonly actors: readonly string[];
  readonly agents: string[] = [];
  readonly platform: string | undefined;
  readonly verb: string;
  readonly activity: string | undefined;
  readonly names: NameMention[] = [];
  readonly definitions: DefinitionMention[] = [];
  readonly #trees: SharedTrees | undefined;

  constructor({ actor, verb, object, context }: Statement, trees: SharedTrees | undefined) {
    this.#trees = trees;
    this.actors = identifiersOf(actor, trees);
    this.platform = context?.platform;
    this.verb = verb.id;
    this.activity = isActivity(object) ? object.id : undefined;
  }

  /** What a statement and a SubStatement have in common. */
  addRoles({ actor, context, object }: Statement | SubStatement): void {
    this.addActor(actor);
    if (context !== undefined) this.#addContext(context);
    this.#addObject(object);
  }

  addActor(actor: Actor): void {
    const identifier = identifierOf(actor, this.#trees);
    if (identifier !== undefined) this.agents.push(identifier);
    if (actor.objectType === 'Group') {
      for (const member of actor.member ?? []) this.addActor(member);
    } else if (identifier !== undefined && actor.name !== undefined) {
      this.names.push({ identifier, name: actor.name });
    }
  }

  #addObject(object: StatementObject): void {
    if (object.objectType === 'SubStatement') this.addRoles(object);
    else if (object.objectType === 'Agent' || object.objectType === 'Group') this.addActor(object);
    else if (isActivity(object)) this.#addActivity(object);
  }

  #addContext({ instructor, team, contextActivities, contextAgents, contextGroups }: Context): void {
    if (instructor !== undefined) this.addActor(instructor);
    if (team !== undefined) this.addActor(team);
    for (const { agent } of contextAgents ?? []) this.addActor(agent);
    for (const { group } of contextGroups ?? []) this.addActor(group);
    for (const role of contextActivityRoles) {
      for (const activity of activitiesOf(contextActivities?.[role])) this.#addActivity(activity);
    }
  }

  #addActivity({ id, definition }: Activity): void {
    if (definition !== undefined) {
      const printed = this.#trees?.once(definition, printDefinition) ?? printDefinition(definition);
      this.definitions.push({ activity: id, ...printed });
    }
  }
}

function printDefinition(definition: ActivityDefinition): PrintedDefinition {
  return { text: printJson(definition), values: countValues(definition) };
}

function isActivity(object: StatementObject): object is Activity {
  return 'id' in object && object.objectType !== 'StatementRef';
}
