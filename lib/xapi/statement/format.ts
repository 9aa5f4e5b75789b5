import { TextSet } from '../../text-map.ts';
import { activitiesOf } from '../activity.ts';
import type { LanguagePicker } from '../language.ts';
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
    ...unchanged,
    agent: identifyingAgent,
    group: identifyingGroup,
    verb: ({ id }) => ({ id }),
    activity: ({ id }) => ({ id }),
  });
}

/**
 * The statement with one language in each language map of a Verb, Activity or Attachment, the one that is picked;
 * Agents and Groups stay (xAPI 1.0.3 Communication 2.1.3, format `canonical`). Source trees keep their marked numbers.
 * @param languages picks it
 * @param definitionOf the definition of an Activity as the LRS has determined it, with one language in each map; where it
 *   gives none, the statement's own counts. Asked once for each time that an Activity occurs, in order.
 */
export function toCanonical(
  statement: Statement,
  languages: LanguagePicker,
  definitionOf: (id: string) => ActivityDefinition | undefined = () => undefined,
): Statement {
  return present(statement, {
    ...unchanged,
    verb: (verb) => (verb.display ? { ...verb, display: inOneLanguage(verb.display, languages) } : verb),
    activity: (activity) => {
      const own = activity.definition;
      const definition = definitionOf(activity.id) ?? (own && definitionInOneLanguage(own, languages));
      return definition ? { ...activity, definition } : activity;
    },
    attachment: (attachment) => ({
      ...attachment,
      display: inOneLanguage(attachment.display, languages),
      ...(attachment.description && { description: inOneLanguage(attachment.description, languages) }),
    }),
  });
}

/** The ids of all Activities in a statement, whatever their roles, in its SubStatement too, in the order in which they occur. */
export function activitiesIn(statement: Statement): TextSet {
  const ids = new TextSet();
  present(statement, {
    ...unchanged,
    activity: (activity) => {
      ids.add(activity.id);
      return activity;
    },
  });
  return ids;
}

/** How the parts of a statement look in one format. */
interface Presenter {
  agent(agent: Agent): Agent;
  group(group: Group): Group;
  verb(verb: Verb): Verb;
  activity(activity: Activity): Activity;
  attachment(attachment: Attachment): Attachment;
}

const unchanged: Presenter = {
  agent: (agent) => agent,
  group: (group) => group,
  verb: (verb) => verb,
  activity: (activity) => activity,
  attachment: (attachment) => attachment,
};

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

/** The definition with one language in each map, the one that is picked. */
export function definitionInOneLanguage(
  definition: ActivityDefinition,
  languages: LanguagePicker,
): ActivityDefinition {
  const { name, description } = definition;
  return {
    ...definition,
    ...(name && { name: inOneLanguage(name, languages) }),
    ...(description && { description: inOneLanguage(description, languages) }),
    ...componentsInOneLanguage(definition, languages),
  };
}

function componentsInOneLanguage(definition: ActivityDefinition, languages: LanguagePicker) {
  const lists: Partial<Record<InteractionComponentList, readonly InteractionComponent[]>> = {};
  for (const list of interactionComponentLists) {
    const components = definition[list];
    if (components === undefined) continue;
    lists[list] = components.map((component) =>
      component.description
        ? { ...component, description: inOneLanguage(component.description, languages) }
        : component,
    );
  }
  return lists;
}

function inOneLanguage(map: LanguageMap, languages: LanguagePicker): LanguageMap {
  const tag = languages.pick(map);
  const text = tag === undefined ? undefined : map[tag];
  return tag === undefined || text === undefined ? map : { [tag]: text };
}
