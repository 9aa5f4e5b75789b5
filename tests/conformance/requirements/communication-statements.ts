import type { Chapter } from '../requirement.ts';
import {
  agentsActivities,
  attached,
  canonical,
  consistentThrough,
  documents,
  entrances,
  filters,
  format,
  language,
  pages,
  parameters,
  receive,
  references,
  resources,
  searches,
  searchTerms,
  state,
  statements,
  writes,
} from '../test-files.ts';

const get = (what: string) =>
  parameters(`the parameters of GET statements (xAPI 1.0.3 Communication 2.1.3) > ${what}`);

export const allResources: Chapter = {
  heading: 'Communication 2.0: resources',
  requirements: [
    {
      id: 'Communication 2.0-1',
      text: 'Every resource of the specification is there.',
      tests: [
        resources('the resource … > answers GET with JSON…'),
        entrances('a statement that is posted is answered with its id and read back'),
        documents('one document > comes back byte for byte with type, ETag and time…'),
        state('DELETE of many without registration removes all, and nothing of others'),
        agentsActivities('answers with a Person that has every name of the Agent…'),
        agentsActivities('answers with all that statements say about the Activity…'),
      ],
    },
  ],
};

export const statementResource: Chapter = {
  heading: 'Communication 2.1: Statements',
  requirements: [
    {
      id: 'Communication 2.1.1-1',
      text: 'PUT of an id that is there changes nothing, neither the Statement nor anything else.',
      tests: [statements('neither an equal nor another statement with its id changes it or its Activity…')],
    },
    {
      id: 'Communication 2.1.1-2',
      text: 'The id of the Statement is that of statementId.',
      tests: [
        receive('refuses another id and everything that is not one statement'),
        receive('gives the statement the id of the parameter'),
      ],
    },
    {
      id: 'Communication 2.1.2-1',
      text: 'A POST that stores and a POST that asks are told apart by the parameters.',
      tests: [
        entrances('the alternate request syntax does the same, sent as …'),
        parameters('are none for POST…'),
      ],
    },
    {
      id: 'Communication 2.1.2-2',
      text: 'POST of an id that is there changes nothing, neither the Statement nor anything else.',
      tests: [
        statements('neither an equal nor another statement with its id changes it or its Activity…'),
        writes('stores an equal statement only once and answers with its id again…'),
      ],
    },
    {
      id: 'Communication 2.1.3-1',
      text: 'statementId and voidedStatementId together are refused with 400.',
      tests: [get('refuse statementId=…&voidedStatementId=…')],
    },
    {
      id: 'Communication 2.1.3-2',
      text: 'Beside one of them, only attachments and format are taken.',
      tests: [
        get('refuse statementId=…&limit=1'),
        get('refuse voidedStatementId=…&ascending=false'),
        get('ask for one statement by either id, whatever its case'),
      ],
    },
    {
      id: 'Communication 2.1.3-3',
      text: 'When nothing matches the answer is 200 with a result.',
      tests: [searches('no match is answered with 200 and an empty list…')],
    },
    {
      id: 'Communication 2.1.3-4',
      text: 'Every answer of the resource says up to when all Statements can be read.',
      tests: [
        searches('X-Experience-API-Consistent-Through > is a timestamp in the answer to …'),
        consistentThrough('lets an incremental reader see everything once, while several write'),
        consistentThrough('moves on with time when nothing is stored'),
      ],
    },
    {
      id: 'Communication 2.1.3-5',
      text: 'With attachments=true the answer is multipart with all attachments.',
      tests: [
        attached('gives with true the statements as JSON first, then each content as binary with its hash'),
        attached('gives with true multipart/mixed also when there is no attachment'),
      ],
    },
    {
      id: 'Communication 2.1.3-6',
      text: 'With attachments=false it has no contents and is application/json.',
      tests: [attached('gives with false application/json and no content')],
    },
    {
      id: 'Communication 2.1.3-7',
      text: 'Filters find what the table of parameters says, page by page.',
      tests: [
        filters(
          'find what a search through all statements and their targets finds, page by page, whatever arrives first…',
        ),
        searchTerms('finds by actor and object, Groups and their members included…'),
        searchTerms('finds by every other role as a related agent…'),
        searchTerms('finds by the roles of a SubStatement as related only…'),
        searchTerms("finds by context activities and a SubStatement's object as related activities…"),
        pages('hold what is stored after since and until until, both ways…'),
        format('toIds (xAPI 1.0.3 Communication 2.1.3) > …'),
        get('give "limit=0" a page of 200'),
      ],
    },
    {
      id: 'Communication 2.1.3-8',
      text: 'A Statement matches through the Statement that it refers to, in any number of steps; since and until count for itself.',
      tests: [
        searches('a statement that refers to a match is one too, through any number of steps…'),
        searches('since and until look at the statement that refers, not at its target…'),
        references('are found through a chain of 200 that arrives …'),
      ],
    },
    {
      id: 'Communication 2.1.3-9',
      text: 'In the format canonical, maps of an Activity have one language each.',
      tests: [
        searches('canonical has one language in each map, chosen for each by Accept-Language…'),
        format('leaves one language in every language map, and all else as it is'),
      ],
    },
    {
      id: 'Communication 2.1.3-10',
      text: 'It is chosen by Accept-Language as in RFC 2616 …',
      tests: [
        searches('canonical has one language in each map, chosen for each by Accept-Language…'),
        language('LanguagePicker > …'),
        language('languageRanges > …'),
      ],
    },
    {
      id: 'Communication 2.1.3-11',
      text: '… for each map by itself.',
      tests: [
        searches('canonical has one language in each map, chosen for each by Accept-Language…'),
        format('chooses for each map by itself'),
      ],
    },
    {
      id: 'Communication 2.1.3-12',
      text: 'In the format canonical, an Activity has the definition that the LRS has determined.',
      tests: [
        searches('canonical has the definition that the LRS has determined…'),
        canonical('has it in every role of an Activity…'),
        canonical('has it on each page…'),
      ],
    },
    {
      id: 'Communication 2.1.4-1',
      text: 'A voided Statement comes only by voidedStatementId.',
      tests: [
        searches('comes by voidedStatementId and in no other way…'),
        references('match no voided statement under a statementId without voiding…'),
        references('are voided like any other, and then stay hidden when their target arrives'),
      ],
    },
    {
      id: 'Communication 2.1.4-2',
      text: 'Statements that refer to a voided one still match through it, the voiding one too.',
      tests: [
        searches('still makes matches of those that refer to it, the voiding one included…'),
        references('still match through a target that has been voided, which itself does not…'),
      ],
    },
  ],
};
