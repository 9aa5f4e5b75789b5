import type { Chapter } from '../requirement.ts';
import { agent, agentsActivities, documents, mentions, resources, state } from '../test-files.ts';

export const documentResources: Chapter = {
  heading: 'Communication 2.2, 2.3, 2.6, 2.7: documents',
  requirements: [
    {
      id: 'Communication 2.2-1',
      text: 'A document is not refused because its Activity or Agent is not known.',
      tests: [resources('is no reason to refuse a document: …')],
    },
    {
      id: 'Communication 2.2-2',
      text: 'POST of application/json merges with a document of application/json, top-level properties only.',
      tests: [
        documents('POST > sets the properties of an object on the stored one, one level deep…'),
        documents('POST > merges whatever parameters application/json has'),
      ],
    },
    {
      id: 'Communication 2.2-3',
      text: 'When either document is not of that type or no JSON object, the answer is 400.',
      tests: [
        documents('POST > refuses to merge a document …'),
        documents('POST > refuses to merge into a document …'),
      ],
    },
    {
      id: 'Communication 2.2-4',
      text: 'Then the document stays as it is.',
      tests: [documents('POST > refuses to merge a document … and leaves the stored one alone')],
    },
    {
      id: 'Communication 2.2-5',
      text: 'A merge is answered with 204.',
      tests: [documents('POST > sets the properties of an object on the stored one, one level deep…')],
    },
    {
      id: 'Communication 2.3-1',
      text: 'One state document is stored, merged, read and removed by Activity, Agent, stateId and registration.',
      tests: [
        documents("'activities/state' in '1.0.3' > one document > …"),
        state('one document belongs to one registration, or to none'),
        state('PUT and POST write that of registration … and no other'),
        state('DELETE of one document removes that of registration … and no other'),
      ],
    },
    {
      id: 'Communication 2.3-2',
      text: 'Ids of state documents are listed by Activity, Agent and registration, since a time if one is given.',
      tests: [
        state('ids are those of the registration, or each once of all'),
        documents("'activities/state' in '1.0.3' > the list of ids > …"),
      ],
    },
    {
      id: 'Communication 2.3-3',
      text: 'All state documents of Activity, Agent and registration are removed at once.',
      tests: [
        state('DELETE of many removes those of the registration and no other'),
        state('DELETE of many without registration removes all, and nothing of others'),
      ],
    },
    {
      id: 'Communication 2.6-1',
      text: 'Agent profile documents are stored, merged, read, removed and listed.',
      tests: [
        documents("'agents/profile' in '1.0.3' > one document > …"),
        documents("'agents/profile' in '1.0.3' > the list of ids > …"),
      ],
    },
    {
      id: 'Communication 2.7-1',
      text: 'Activity profile documents are stored, merged, read, removed and listed.',
      tests: [
        documents("'activities/profile' in '1.0.3' > one document > …"),
        documents("'activities/profile' in '1.0.3' > the list of ids > …"),
      ],
    },
  ],
};

export const descriptions: Chapter = {
  heading: 'Communication 2.4, 2.5, 2.8: Agents, Activities, About',
  requirements: [
    {
      id: 'Communication 2.4-1',
      text: 'Of an Agent that is not known, a Person says what the request says.',
      tests: [agentsActivities('answers for an unknown Agent with what the request says…')],
    },
    {
      id: 'Communication 2.4-2',
      text: 'The lists of a Person have members like those properties of Agents, accounts whole.',
      tests: [
        agent('personOf > has the … as a list…'),
        mentions('every name of an Agent is known, the one learnt last in front…'),
      ],
    },
    {
      id: 'Communication 2.4-3',
      text: 'A Person has each property once.',
      tests: [
        agent('personOf > has the … as a list…'),
        agentsActivities('answers with a Person that has every name of the Agent…'),
      ],
    },
    {
      id: 'Communication 2.5-1',
      text: 'An Activity comes with all that is known of it.',
      tests: [agentsActivities('answers with all that statements say about the Activity…')],
    },
    {
      id: 'Communication 2.8-1',
      text: 'About names the latest version of each major one.',
      tests: [resources('has the latest version of each major one, and nothing more')],
    },
    {
      id: 'Communication 2.8-2',
      text: 'It has no other properties than version and extensions, each once.',
      tests: [resources('has the latest version of each major one, and nothing more')],
    },
    {
      id: 'Communication 2.8-3',
      text: 'It is answered whatever the version header says.',
      tests: [resources('is answered whatever the version: …')],
    },
  ],
};
