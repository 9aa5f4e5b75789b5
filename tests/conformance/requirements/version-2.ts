import type { Chapter } from '../requirement.ts';
import {
  actor,
  agentsActivities,
  documents,
  equal,
  handlers,
  object,
  primitives,
  properties,
  resources,
  searchTerms,
  state,
  statements,
  validate,
  version,
  writes,
} from '../test-files.ts';

/** What 2.0.0 demands otherwise or more. */
export const differences: Chapter = {
  heading: 'xAPI 2.0.0: what differs',
  requirements: [
    {
      id: '2.0.0 general-1',
      text: 'What is not named here holds as in 1.0.3.',
      tests: [
        validate('a full statement of 2.0.0 > …'),
        actor("… under '2.0.0' > must not be …"),
        object('an object under 2.0.0 > must …'),
        documents("… in '2.0.0' > one document > …"),
        documents("… in '2.0.0' > parameters > …"),
      ],
    },
    {
      id: '2.0.0 alternate request syntax-1',
      text: 'There is no alternate request syntax.',
      tests: [handlers('refuses version 2.0.0, which does not have it')],
    },
    {
      id: '2.0.0 versions-1',
      text: 'Version headers that start with 2.0. are taken, later ones refused.',
      tests: [version('takes 2.0.1 as 2.0.0'), version('refuses "2.1.0"…'), version('refuses "3.0.0"…')],
    },
    {
      id: '2.0.0 versions-2',
      text: 'Answers name the version 2.0.0.',
      tests: [resources('names the latest patch of the version in every answer, errors included…')],
    },
    {
      id: '2.0.0 4.1.4-1',
      text: 'PUT, POST and DELETE honour If-Match and If-None-Match, for state documents too.',
      tests: [
        documents("… in '2.0.0' > conditions of PUT and DELETE (xAPI 1.0.3 Communication 3.1) > …"),
        documents("… in '2.0.0' > POST > honours conditions"),
      ],
    },
    {
      id: '2.0.0 4.1.4-2',
      text: 'PUT without a condition on a document that is there is answered with 409, for state documents too, and changes nothing.',
      tests: [
        documents(
          "'activities/state' in '2.0.0' > PUT without a condition > is a conflict with what is there, and the answer says what to do…",
        ),
        documents(
          "'agents/profile' in '2.0.0' > PUT without a condition > is a conflict with what is there, and the answer says what to do…",
        ),
        documents(
          "'activities/profile' in '2.0.0' > PUT without a condition > is a conflict with what is there, and the answer says what to do…",
        ),
      ],
    },
    {
      id: '2.0.0 4.1.4-3',
      text: 'PUT without a condition stores a document where there is none.',
      tests: [documents("… in '2.0.0' > PUT without a condition > stores a document where there is none")],
    },
    {
      id: '2.0.0 4.1.6.1-1',
      text: 'Last-Modified of a Statement is its stored time.',
      tests: [statements('has the time of storing as Last-Modified in 2.0.0')],
    },
    {
      id: '2.0.0 4.1.6.1-2',
      text: 'A timestamp in the future is no reason to refuse a Statement.',
      tests: [properties('accepts timestamp = "2999-01-01T00:00:00+02:00"… under 2.0.0')],
    },
    {
      id: '2.0.0 4.1.6.1-3',
      text: 'Agents and Groups of contextAgents and contextGroups are found with related_agents.',
      tests: [searchTerms('finds by every other role as a related agent…')],
    },
    {
      id: '2.0.0 4.1.6.2-1',
      text: 'Last-Modified of a document, and of a list of ids, is the time of the (latest) change.',
      tests: [
        documents("… in '2.0.0' > one document > comes back byte for byte with type, ETag and time…"),
        documents(
          "… in '2.0.0' > the list of ids > names every document of the owner, has an ETag and the time of the latest…",
        ),
      ],
    },
    {
      id: '2.0.0 4.1.6.2-2',
      text: 'Documents may be those of an identified Group.',
      tests: [
        state(
          'a Group shares the documents of the Agent with its identifier in 2.0.0; 1.0.3 knows only Agents…',
        ),
      ],
    },
    {
      id: '2.0.0 4.1.6.4-1',
      text: 'Of an Activity that is not known, an Activity with its id is answered.',
      tests: [agentsActivities('answers for an unknown one with its id (2.0.0 Activities resource)')],
    },
    {
      id: '2.0.0 4.1.6.7-1',
      text: 'About names 2.0.0 among the versions.',
      tests: [resources('has the latest version of each major one, and nothing more')],
    },
    {
      id: '2.0.0 4.2.2.5-1',
      text: 'A context may have contextAgents: objects of objectType contextAgent with an Agent and relevantTypes that are IRIs.',
      tests: [
        properties('may have contextAgents = …'),
        properties('must not have contextAgents = …'),
        validate('requires context.contextAgents.0.…'),
      ],
    },
    {
      id: '2.0.0 4.2.2.5-2',
      text: 'It may have contextGroups: objects of objectType contextGroup with a Group and relevantTypes that are IRIs.',
      tests: [
        properties('may have contextGroups = …'),
        properties('must not have contextGroups = …'),
        validate('requires context.contextGroups.0.…'),
      ],
    },
    {
      id: '2.0.0 4.2.2.5-3',
      text: 'Both come back as they came and count when Statements are compared.',
      tests: [
        statements('a statement of 2.0.0 is not converted for a reader of 1.0.3…'),
        equal('ignores the order of contextAgents and of their relevantTypes'),
        equal('counts the relevantTypes of a contextAgent'),
      ],
    },
    {
      id: '2.0.0 4.2.4.2-1',
      text: 'A missing timestamp is set to the stored time.',
      tests: [writes('sets stored, authority and, where they are missing, timestamp and version…')],
    },
    {
      id: '2.0.0 4.2.4.2-2',
      text: 'A missing version is set to 2.0.0; Statements of an earlier version are taken, of a later one refused.',
      tests: [
        writes('sets version 2.0.0 on a statement without one under 2.0.0…'),
        properties('may be of an earlier version under 2.0.0, but not of a later one…'),
      ],
    },
    {
      id: '2.0.0 4.2.7-1',
      text: 'Timestamps are those of RFC 3339, with an offset.',
      tests: [
        primitives("timestamp > refuses …RFC 3339 wants an offset… ('2.0.0')"),
        primitives("timestamp > accepts … ('2.0.0')"),
      ],
    },
    {
      id: '2.0.0 4.2.7-2',
      text: 'More precision of a duration than 0.01 s is no reason to refuse a Statement.',
      tests: [primitives("duration > accepts …'more precision than 0.01 s'… ('2.0.0')")],
    },
    {
      id: '2.0.0 4.2.7-3',
      text: 'It does not count when Statements are compared.',
      tests: [equal('ignores seconds of a duration beyond hundredths')],
    },
  ],
};
