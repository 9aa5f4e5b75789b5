import { activitiesOf } from '../activity.ts';
import { pickLanguage } from '../language.ts';
import {
  type Activity,
  type ActivityDefinition,
  type Actor,
  type Agent,
  type Attachment,
  type Context,
  type ContextActivities,
  type ContextActivityRole,
  contextActivityRoles,
  type Group,
  type InteractionComponent,
  type InteractionComponentList,
  type InverseFunctionalIdentifier,
  interactionComponentLists,
  type LanguageMap,
  type Statement,
  type StatementObject,
  type SubStatement,
  type Verb,
} from '../types.ts';

/**
 * The statement with every Agent, Group, Verb and Activity reduced to what identifies it, wherever it occurs; of anonymous
 * Groups each member is (xAPI 1.0.3 Communication 2.1.3, format `ids`). Source trees keep their marked numbers.
 */
export function toIds(statement: Statement): Statement {
  return present(statement, {
    agent: identifyingAgent,
    group: identifyingGroup,
    verb: ({ id }) => ({ id }),
    activity: ({ id }) => ({ id }),
    attachment: (attachment) => attachment,
  });
}

/**
 * The statement with one language in each language map of a Verb, Activity or Attachment, the one that suits `ranges` best;
 * Agents and Groups stay (xAPI 1.0.3 Communication 2.1.3, format `canonical`). Source trees keep their marked numbers.
 * @param ranges as `languageRanges` gives them
 */
export function toCanonical(statement: Statement, ranges: readonly string[]): Statement {
  return present(statement, {
    agent: (agent) => agent,
    group: (group) => group,
    verb: (verb) => (verb.display ? { ...verb, display: inOneLanguage(verb.display, ranges) } : verb),
    activity: (activity) =>
      activity.definition
        ? { ...activity, definition: definitionInOneLanguage(activity.definition, ranges) }
        : activity,
    attachment: (attachment) => ({
      ...attachment,
      display: inOneLanguage(attachment.display, ranges),
      ...(attachment.description && { description: inOneLanguage(attachment.description, ranges) }),
    }),
  });
}

/** How the parts of a statement look in one format. */
interface Presenter {
  agent(agent: Agent): Agent;
  group(group: Group): Group;
  verb(verb: Verb): Verb;
  activity(activity: Activity): Activity;
  attachment(attachment: Attachment): Attachment;
}

function present(statement: Statement, presenter: Presenter): Statement {
  return {
    ...statement,
    ...presentRoles(statement, presenter),
    object: presentObject(statement.object, presenter),
    ...(statement.authority && { authority: presentActor(statement.authority, presenter) }),
  };
}

/** What a statement and a SubStatement have in common. */
function presentRoles(statement: Statement | SubStatement, presenter: Presenter) {
  return {
    actor: presentActor(statement.actor, presenter),
    verb: presenter.verb(statement.verb),
    ...(statement.context && { context: presentContext(statement.context, presenter) }),
    ...(statement.attachments && { attachments: statement.attachments.map(presenter.attachment) }),
  };
}

function presentObject(object: StatementObject, presenter: Presenter): StatementObject {
  if (object.objectType === 'SubStatement') {
    const inner = object.object;
    return {
      ...object,
      ...presentRoles(object, presenter),
      object: inner.objectType === 'StatementRef' ? inner : presentThing(inner, presenter),
    };
  }
  return object.objectType === 'StatementRef' ? object : presentThing(object, presenter);
}

function presentThing(thing: Activity | Actor, presenter: Presenter): Activity | Actor {
  return 'id' in thing ? presenter.activity(thing) : presentActor(thing, presenter);
}

function presentActor(actor: Actor, presenter: Presenter): Actor {
  return actor.objectType === 'Group' ? presenter.group(actor) : presenter.agent(actor);
}

function presentContext(context: Context, presenter: Presenter): Context {
  const { instructor, team, contextActivities, contextAgents, contextGroups } = context;
  return {
    ...context,
    ...(instructor && { instructor: presentActor(instructor, presenter) }),
    ...(team && { team: presenter.group(team) }),
    ...(contextActivities && { contextActivities: presentContextActivities(contextActivities, presenter) }),
    ...(contextAgents && {
      contextAgents: contextAgents.map((entry) => ({ ...entry, agent: presenter.agent(entry.agent) })),
    }),
    ...(contextGroups && {
      contextGroups: contextGroups.map((entry) => ({ ...entry, group: presenter.group(entry.group) })),
    }),
  };
}

function presentContextActivities(roles: ContextActivities, presenter: Presenter): ContextActivities {
  const presented: Partial<Record<ContextActivityRole, readonly Activity[]>> = {};
  for (const role of contextActivityRoles) {
    if (roles[role] !== undefined) presented[role] = activitiesOf(roles[role]).map(presenter.activity);
  }
  return presented;
}

function identifyingAgent(agent: Agent): Agent {
  return { ...(agent.objectType && { objectType: agent.objectType }), ...identifierPropertiesOf(agent) };
}

function identifyingGroup(group: Group): Group {
  const identifier = identifierPropertiesOf(group);
  if (Object.keys(identifier).length > 0 || group.member === undefined)
    return { objectType: 'Group', ...identifier };
  return { objectType: 'Group', member: group.member.map(identifyingAgent) };
}

function identifierPropertiesOf({ mbox, mbox_sha1sum, openid, account }: Actor): InverseFunctionalIdentifier {
  return {
    ...(mbox !== undefined && { mbox }),
    ...(mbox_sha1sum !== undefined && { mbox_sha1sum }),
    ...(openid !== undefined && { openid }),
    ...(account !== undefined && { account }),
  };
}

function definitionInOneLanguage(
  definition: ActivityDefinition,
  ranges: readonly string[],
): ActivityDefinition {
  const { name, description } = definition;
  return {
    ...definition,
    ...(name && { name: inOneLanguage(name, ranges) }),
    ...(description && { description: inOneLanguage(description, ranges) }),
    ...componentsInOneLanguage(definition, ranges),
  };
}

function componentsInOneLanguage(definition: ActivityDefinition, ranges: readonly string[]) {
  const lists: Partial<Record<InteractionComponentList, readonly InteractionComponent[]>> = {};
  for (const list of interactionComponentLists) {
    const components = definition[list];
    if (components === undefined) continue;
    lists[list] = components.map((component) =>
      component.description
        ? { ...component, description: inOneLanguage(component.description, ranges) }
        : component,
    );
  }
  return lists;
}

function inOneLanguage(map: LanguageMap, ranges: readonly string[]): LanguageMap {
  const tag = pickLanguage(map, ranges);
  const text = tag === undefined ? undefined : map[tag];
  return tag === undefined || text === undefined ? map : { [tag]: text };
}
