import type { Chapter } from '../requirement.ts';
import {
  actor,
  filters,
  mentions,
  object,
  primitives,
  properties,
  statements,
  validate,
  writes,
} from '../test-files.ts';

export const actorVerbObject: Chapter = {
  heading: 'Data 2.4.1 – 2.4.4: id, actor, verb, object',
  requirements: [
    {
      id: 'Data 2.4.1-1',
      text: 'An id is a UUID in the standard form.',
      tests: [properties('refuses id = …'), primitives('uuid > …')],
    },
    {
      id: 'Data 2.4.1-2',
      text: 'The LRS makes an id for a Statement without one.',
      tests: [writes('answers with the ids in order, made up where there was none…')],
    },
    {
      id: 'Data 2.4.2.1-1',
      text: 'An Agent has one Inverse Functional Identifier.',
      tests: [actor('may be an Agent by …'), actor('must not be an Agent without identifier…')],
    },
    {
      id: 'Data 2.4.2.1-2',
      text: 'An Agent has no second one.',
      tests: [actor('must not be an Agent with two…')],
    },
    {
      id: 'Data 2.4.2.2-1',
      text: 'A Group says so in its objectType.',
      tests: [actor('must be a Group as team…'), actor('must not be an Agent with members…')],
    },
    {
      id: 'Data 2.4.2.2-2',
      text: 'An Anonymous Group lists its members.',
      tests: [actor('may be an Anonymous Group…'), actor('must not be a Group without anything…')],
    },
    {
      id: 'Data 2.4.2.2-3',
      text: 'No Group is a member of an Anonymous Group.',
      tests: [actor('must not be a Group with a Group inside…')],
    },
    {
      id: 'Data 2.4.2.2-4',
      text: 'An Identified Group has exactly one Inverse Functional Identifier.',
      tests: [
        actor('may be an Identified Group without members…'),
        actor('must not be a Group with two identifiers…'),
      ],
    },
    {
      id: 'Data 2.4.2.2-5',
      text: 'No Group is a member of an Identified Group.',
      tests: [actor('must not be an Identified Group with a Group inside…')],
    },
    {
      id: 'Data 2.4.2.3-1',
      text: 'Inverse Functional Identifiers have their formats.',
      tests: [
        actor('must not be an mbox without mailto…'),
        actor('must not be a short hash…'),
        actor('must not be an openid without scheme…'),
        primitives('mailbox > …'),
      ],
    },
    {
      id: 'Data 2.4.2.4-1',
      text: 'An account has homePage and name.',
      tests: [
        actor('must not be an account without homePage…'),
        actor('must not be an account without name…'),
        actor('must not be a homePage without scheme…'),
      ],
    },
    {
      id: 'Data 2.4.3-1',
      text: 'A verb has an IRI as id.',
      tests: [validate('requires verb.id'), properties('refuses verb.id = "read"…')],
    },
    {
      id: 'Data 2.4.3-2',
      text: 'With the format exact, display comes back exactly as it was sent or left out.',
      tests: [statements('display comes back as it was sent, or left out…')],
    },
    {
      id: 'Data 2.4.4-1',
      text: 'An object is of one of the known types; without objectType it is an Activity.',
      tests: [object('may be an Activity without objectType…'), object('must not be of an unknown type…')],
    },
    {
      id: 'Data 2.4.4.1-1',
      text: 'An Activity has an IRI as id.',
      tests: [
        object('must not be an Activity without id…'),
        object('must not be an Activity whose id has no scheme…'),
      ],
    },
    {
      id: 'Data 2.4.4.1-2',
      text: 'Nothing is done about several authors who use one Activity id.',
      tests: [statements('one Activity may be described by several authorities…')],
    },
    {
      id: 'Data 2.4.4.1-3',
      text: 'One Activity id is one Activity, whoever refers to it.',
      tests: [
        statements('one Activity may be described by several authorities…'),
        mentions('definitions are merged, the newest counts…'),
        filters(
          'find what a search through all statements and their targets finds, page by page, whatever arrives first…',
        ),
      ],
    },
    {
      id: 'Data 2.4.4.1-4',
      text: 'An Interaction Activity has a valid interactionType.',
      tests: [
        object('must not have an unknown interaction'),
        object('must not have choices without interactionType'),
        object('must not have a pattern without interactionType'),
      ],
    },
    {
      id: 'Data 2.4.4.1-5',
      text: 'Component lists are those of the interactionType, and components have an id.',
      tests: [
        object('of a … interaction may have the lists … and no other…'),
        object('must not have a choice without id'),
      ],
    },
    {
      id: 'Data 2.4.4.1-6',
      text: 'Ids within a component list are distinct.',
      tests: [object('must not have the same choice twice'), object('may have the same id in two lists')],
    },
    {
      id: 'Data 2.4.4.2-1',
      text: 'An Agent or Group as object needs its objectType.',
      tests: [actor('needs its objectType as an object…')],
    },
    {
      id: 'Data 2.4.4.3-1',
      text: 'A Statement Reference needs the objectType StatementRef.',
      tests: [object('may be a Statement Reference…'), validate('requires context.statement.objectType')],
    },
    {
      id: 'Data 2.4.4.3-2',
      text: 'Its id is the UUID of a Statement.',
      tests: [
        object('must not be a Statement Reference without id…'),
        object('must not be a Statement Reference whose id is no UUID…'),
      ],
    },
    {
      id: 'Data 2.4.4.3-3',
      text: 'A SubStatement needs its objectType.',
      tests: [validate('requires object.objectType')],
    },
    {
      id: 'Data 2.4.4.3-4',
      text: 'A SubStatement is held to the rules of a Statement.',
      tests: [
        object('must not be a SubStatement without …'),
        actor("an actor at 'object.actor' under … > must not be …"),
        validate('is refused with a value of another type anywhere outside extensions, at that place…'),
      ],
    },
    {
      id: 'Data 2.4.4.3-5',
      text: 'A SubStatement has no id, stored, version or authority.',
      tests: [object('must not be a SubStatement with …')],
    },
    {
      id: 'Data 2.4.4.3-6',
      text: 'A SubStatement has no SubStatement.',
      tests: [object('must not be a SubStatement in a SubStatement…')],
    },
  ],
};
