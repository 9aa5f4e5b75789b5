import type { Chapter } from '../requirement.ts';
import {
  concurrency,
  documents,
  entrances,
  handlers,
  parameters,
  receive,
  resources,
  state,
  statements,
  version,
} from '../test-files.ts';

const conditions = (what: string) =>
  documents(`conditions of PUT and DELETE (xAPI 1.0.3 Communication 3.1) > ${what}`);

export const concurrencyControl: Chapter = {
  heading: 'Communication 3.1: concurrency',
  requirements: [
    {
      id: 'Communication 3.1-1',
      text: 'PUT of a profile needs If-Match or If-None-Match.',
      tests: [documents("… in '1.0.3' > PUT without a condition > is refused although nothing is there…")],
    },
    {
      id: 'Communication 3.1-2',
      text: 'GET has an ETag.',
      tests: [
        documents('one document > comes back byte for byte with type, ETag and time…'),
        documents(
          'the list of ids > names every document of the owner, has an ETag and the time of the latest…',
        ),
      ],
    },
    {
      id: 'Communication 3.1-3',
      text: 'It is the SHA-1 of the content as hexadecimal text.',
      tests: [
        resources('is its SHA-1 in quotes when it is sent as it is, and only then…'),
        documents('one document > comes back byte for byte with type, ETag and time…'),
      ],
    },
    {
      id: 'Communication 3.1-4',
      text: 'It is not that when the answer is encoded.',
      tests: [resources('is its SHA-1 in quotes when it is sent as it is, and only then…')],
    },
    {
      id: 'Communication 3.1-5',
      text: 'It is in quotes.',
      tests: [resources('is its SHA-1 in quotes when it is sent as it is, and only then…')],
    },
    {
      id: 'Communication 3.1-6',
      text: 'PUT honours If-Match.',
      tests: [
        conditions('If-Match with the ETag on a document that is there'),
        conditions('If-Match with another ETag on a document that is there'),
        conditions('If-Match on a document that is not there'),
        concurrency('of all that replace the same document, one wins and the others are told so'),
      ],
    },
    {
      id: 'Communication 3.1-7',
      text: 'PUT honours If-None-Match: *.',
      tests: [
        conditions('If-None-Match: * on a document that is there'),
        conditions('If-None-Match: * on a document that is not there'),
        concurrency('of all that create the same document, one wins and the others are told so'),
      ],
    },
    {
      id: 'Communication 3.1-8',
      text: 'A condition that fails is answered with 412.',
      tests: [
        conditions('If-Match with another ETag on a document that is there'),
        conditions('If-None-Match: * on a document that is there'),
        conditions('a failed condition is explained'),
      ],
    },
    {
      id: 'Communication 3.1-9',
      text: 'Then nothing is changed.',
      tests: [
        conditions('If-Match with another ETag on a document that is there'),
        conditions('If-None-Match: * on a document that is there'),
      ],
    },
    {
      id: 'Communication 3.1-10',
      text: 'PUT of a profile that is there without a condition is answered with 409.',
      tests: [
        documents(
          "'agents/profile' in '1.0.3' > PUT without a condition > is a conflict with what is there, and the answer says what to do…",
        ),
        documents(
          "'activities/profile' in '1.0.3' > PUT without a condition > is a conflict with what is there, and the answer says what to do…",
        ),
      ],
    },
    {
      id: 'Communication 3.1-11',
      text: 'The answer says to look at the document and to send If-Match with its ETag.',
      tests: [
        documents(
          'PUT without a condition > is a conflict with what is there, and the answer says what to do…',
        ),
      ],
    },
    {
      id: 'Communication 3.1-12',
      text: 'Then nothing is changed.',
      tests: [
        documents(
          'PUT without a condition > is a conflict with what is there, and the answer says what to do…',
        ),
      ],
    },
    {
      id: 'Communication 3.1-13',
      text: 'PUT of a state document needs no condition.',
      tests: [documents("'activities/state' in '1.0.3' > PUT without a condition > replaces what is there…")],
    },
  ],
};

export const errorCodes: Chapter = {
  heading: 'Communication 3.2: errors',
  requirements: [
    {
      id: 'Communication 3.2-1',
      text: 'The status is the most fitting one of the list.',
      tests: [
        entrances('… is answered with 400 and an error'),
        entrances('… is answered with 401 and an error'),
        entrances('… is answered with 404 and an error'),
        entrances(
          'a statement that is put is answered with 204, again when it comes again, and with 409 when it differs',
        ),
        conditions('a failed condition is explained'),
      ],
    },
    {
      id: 'Communication 3.2-2',
      text: 'Parameters that are not known are refused with 400.',
      tests: [
        parameters('refuse the unknown name of agents=x and say which is meant…'),
        parameters('are a statementId for PUT and nothing else…'),
        documents('parameters > … refuses what is missing, wrong or unknown…'),
        entrances('an unknown parameter is answered with 400 and an error'),
      ],
    },
    {
      id: 'Communication 3.2-3',
      text: 'Parameters in another case are refused with 400.',
      tests: [
        parameters('refuse the unknown name of StatementId=x and say which is meant…'),
        parameters('refuse the unknown name of Related_Agents=true and say which is meant…'),
      ],
    },
    {
      id: 'Communication 3.2-4',
      text: 'A batch is refused whole when one Statement of it is refused.',
      tests: [
        receive('names the statement of the array that breaks a rule and refuses the whole batch'),
        statements('a batch with a broken statement or a conflict leaves nothing behind…'),
      ],
    },
    {
      id: 'Communication 3.2-5',
      text: 'What the credentials do not permit is answered with 403.',
      tests: [resources('without permission are answered 403 at …'), state('who may > with the scope …')],
    },
    {
      id: 'Communication 3.2-6',
      text: 'What is too large is answered with 413.',
      tests: [
        resources('is the configured one, above it the answer is 413…'),
        handlers('refuses a body above webserver.maxBodyBytes, announced or real'),
      ],
    },
    {
      id: 'Communication 3.2-7',
      text: 'The largest size can be configured.',
      tests: [resources('is the configured one, above it the answer is 413…')],
    },
  ],
};

export const versioning: Chapter = {
  heading: 'Communication 3.3: versions',
  requirements: [
    {
      id: 'Communication 3.3-1',
      text: 'Every answer names a version.',
      tests: [resources('names the latest patch of the version in every answer, errors included…')],
    },
    {
      id: 'Communication 3.3-2',
      text: 'That is the latest patch of it.',
      tests: [resources('names the latest patch of the version in every answer, errors included…')],
    },
    {
      id: 'Communication 3.3-3',
      text: '1.0 is taken like 1.0.0.',
      tests: [resources('the version header at … > 1.0 is taken…'), version('takes 1.0 as 1.0.3…')],
    },
    {
      id: 'Communication 3.3-4',
      text: 'Versions before 1.0.0 are refused.',
      tests: [
        resources('"0.9" is refused with 400 and a reason…'),
        resources('"0.95" is refused with 400 and a reason…'),
      ],
    },
    {
      id: 'Communication 3.3-5',
      text: 'Requests without a version are refused.',
      tests: [resources('the version header at … > is needed…')],
    },
    {
      id: 'Communication 3.3-6',
      text: 'Versions that start with 1.0. are taken.',
      tests: [resources('1.0.9 is taken…'), version('takes 1.0.17 as 1.0.3…')],
    },
    {
      id: 'Communication 3.3-7',
      text: 'Versions from 1.1.0 on are refused, but for 2.0.x, which this LRS speaks too.',
      tests: [resources('"1.1.0" is refused with 400 and a reason…'), version('refuses "2.1.0"…')],
    },
    {
      id: 'Communication 3.3-8',
      text: 'The refusal is 400 with a short reason.',
      tests: [resources('the version header at … > … is refused with 400 and a reason…')],
    },
    {
      id: 'Communication 3.3-9',
      text: 'Statements of a newer version are not converted into an earlier one.',
      tests: [statements('a statement of 2.0.0 is not converted for a reader of 1.0.3…')],
    },
  ],
};

export const authentication: Chapter = {
  heading: 'Communication 4: authentication',
  requirements: [
    {
      id: 'Communication 4-1',
      text: 'One of the named methods is supported: HTTP Basic Authentication.',
      tests: [
        handlers('lets a call with version and key pair through and names its version in the answer'),
        handlers('refuses another scheme'),
        resources('that are not known do not open …'),
      ],
    },
    {
      id: 'Communication 4-2',
      text: 'What may be done is decided by the credentials.',
      tests: [
        resources('without permission are answered 403 at …'),
        handlers('refuses what the scopes do not permit'),
        state('who may > …'),
      ],
    },
  ],
};
