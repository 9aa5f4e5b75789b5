import { configuration, fact, facts, routes } from './fact.ts';

const post = (title: string) => routes(`POST /admin/reaction > ${title}`);

/** Sections 1 and 2. */
export const rulesets = [
  fact('1.1', 'The server gives a reaction its id, a UUID; ids sort in the order of creation.', {
    tests: [post('gives ids in the order of creation, which cannot be chosen')],
  }),
  fact('1.2', 'A title has any content and is unique.', {
    tests: [
      post('takes a title with any content'),
      post('answers 400, not 409, when the title is already used'),
    ],
  }),
  fact('1.3', 'A ruleset is an object that the client gives.', {
    tests: [
      post('refuses a ruleset that is no object with 400 and its place'),
      routes('GET /admin/reaction > lists active and inactive reactions…'),
    ],
  }),
  fact('1.4', 'The client makes a reaction active or not, and an error makes it inactive.', {
    tests: [
      routes('PUT /admin/reaction > changes title, ruleset and active one by one…'),
      facts('section 7.1: …'),
    ],
  }),
  fact('1.5', 'Times have nine digits of a second; modified changes with updates, deletion and errors.', {
    tests: [
      routes('GET /admin/reaction > lists active and inactive reactions…'),
      routes('PUT /admin/reaction > changes modified on update, and leaves created'),
      facts('section 7.1: …'),
    ],
  }),
  fact('1.6', 'An error has a type and a message, and is null where there is none.', {
    tests: [routes('GET /admin/reaction > lists active and inactive reactions…'), facts('section 7.1: …')],
  }),
  fact('1.7', 'A deleted reaction stays in the database, and is neither active nor inactive.', {
    tests: [facts('section 9.1: …')],
  }),
  fact('1.8', 'A generated statement is linked with its reaction and its trigger; its JSON does not tell.', {
    differs: {
      lrsql: '`reaction_id` and `trigger_id` are columns of the statement',
      here: 'They are in the table `reaction_firing`, with the matched statements; `GET /admin/reaction/firings` tells them',
      because: 'The rows of statements stay as small and as fast to write as without reactions.',
    },
  }),
  fact('2.1', 'identityPaths is a required array, which may be empty.'),
  fact('2.2', 'Each identity path leads to a single value of a statement.'),
  fact('2.3', 'conditions is a required object with at least one condition.'),
  fact('2.4', 'A condition may have any name.'),
  fact('2.5', 'template is required, any JSON, and not checked as a statement on save.'),
  fact('2.6', 'Other members of a ruleset are accepted, stored and returned.'),
  fact(
    '2.7',
    'A condition is and, or (of at least one), not (of one) or a comparison, one in another without limit.',
    {
      differs: {
        lrsql: 'Rulesets, paths and nesting have no limit',
        here: 'Paths have at most 32 steps, conditions lie at most 32 deep and have names of at most 255 characters; size and number are limited by settings',
        because: 'Whatever a client can make large has a limit.',
      },
    },
  ),
  fact('2.8', 'Where several are present, and counts, then or, then not, then the comparison.'),
  fact('2.9', 'That a ref names a condition is not checked on save; an unknown one is an error at run time.'),
  fact('2.10', 'A path is an array of strings and non-negative integers.'),
  fact('2.11', 'Paths are those of reactionVersion; 2.0.0 adds contextAgents and contextGroups.'),
  fact('2.12', 'Any index is treated alike.'),
  fact('2.13', 'Ids, names, IRIs, timestamps, objectType, entries of language maps and the like are text.'),
  fact('2.14', 'Scores and the length of an attachment are numbers.'),
  fact('2.15', 'success and completion are true or false.'),
  fact('2.16', 'Below extensions there may be any single value.'),
  fact('2.17', 'A path that no statement can have is refused.'),
  fact('2.18', 'The operators are gt, lt, gte, lte, eq, noteq, like and contains.'),
  fact('2.19', 'val is a text, a number, true, false or null.'),
  fact('2.20', 'What is compared has one type, except below extensions.'),
  fact('2.21', 'like compares text with text.'),
  fact('2.22', 'contains looks into arrays, or below extensions.'),
  fact('2.23', 'null is compared below extensions only.'),
  fact('10.1', 'Rulesets are checked, and statements generated, by reactionVersion.'),
  fact('10.2', 'reactionVersion is one of supportedVersions, else the server does not start.', {
    tests: [
      configuration(
        'the settings of reactions > refuse a version of reactions that the server does not support, also when it is the default',
      ),
    ],
  }),
];
