import { fact, facts, onEngines, routes, stored } from './fact.ts';

const post = (title: string) => routes(`POST /admin/reaction > ${title}`);
const put = (title: string) => routes(`PUT /admin/reaction > ${title}`);
const remove = (title: string) => routes(`DELETE /admin/reaction > ${title}`);

/** Sections 6 to 9 and 11. */
export const results = [
  fact('6.1', 'The result must be a valid statement of the default version of lrsql’s validator.', {
    differs: {
      lrsql: 'Generated statements are validated by one version of xAPI, whatever `reactionVersion` is',
      here: 'By `reactionVersion`',
      because: 'Clients that ask for that version get statements of it.',
    },
  }),
  fact('6.2', 'The authority is that of the template if it has one, else that of the trigger.'),
  fact('6.3', 'The id is random unless the template gives one.', {
    differs: {
      lrsql: 'Ids of generated statements are random',
      here: 'Derived from the reaction, its version and the matched statements',
      because: 'The same match makes the same statement, however often it is evaluated.',
    },
  }),
  fact('6.4', 'timestamp, stored and version are as for a POST under reactionVersion.'),
  fact('6.5', 'Generated statements need no credential.'),
  fact('7.1', 'The first error makes its reaction inactive, with the error and the time; the others go on.'),
  fact(
    '7.2',
    'A comparison that cannot be evaluated is a ReactionQueryError, which Postgres may not record.',
    {
      differs: {
        lrsql: 'Postgres may not record an error of a comparison',
        here: 'Every database does',
        because: 'An operator has to see why a reaction has stopped.',
      },
    },
  ),
  fact('7.3', 'A path of the template without a value is a ReactionTemplateError that names the path.'),
  fact('7.4', 'A result that is no valid statement is a ReactionInvalidStatementError with an explanation.'),
  fact('7.5', 'What is good of the matches of a trigger is stored, although one of them fails.'),
  fact('7.6', 'A failure to store what was generated does not mark the reaction, and is only logged.', {
    differs: {
      lrsql: 'A generated statement whose `id` is taken is only logged',
      here: 'It counts as `failed`, too',
      because: 'An operator can see that something was not stored.',
    },
  }),
  fact('7.7', 'Only a new ruleset clears the error; activating the reaction does not.', {
    differs: {
      lrsql: '`error` stays until a new ruleset is sent',
      here: 'Activating the reaction clears it, too',
      because: 'A reaction that works has no error.',
    },
  }),
  fact('7.9', 'val: false and val: null are accepted, and stop the reaction.', {
    differs: {
      lrsql: '`val: false` and `val: null` stop the reaction',
      here: 'They equal `false` and `null`; `null` only below `extensions`',
      because: 'What is accepted has to work.',
    },
  }),
  fact('8.1', 'All routes need a token.', { tests: [routes('… /admin/reaction… needs a token')] }),
  fact('8.2', 'POST answers 200 with the reactionId; title, ruleset and active are required, else 400.', {
    tests: [
      post('answers 200 with the reactionId'),
      post('needs …'),
      post('refuses … with 400 and its place'),
      post('gives a reaction without a title a readable one, which is unique'),
    ],
    differs: {
      lrsql: '`title` is required',
      here: 'Without one the server makes one',
      because: 'A ruleset that is tried needs no name yet.',
    },
  }),
  fact('8.3', 'POST with a title in use answers 400.', {
    tests: [post('answers 400, not 409, when the title is already used')],
  }),
  fact('8.4', 'GET answers active and inactive reactions.', {
    tests: [routes('GET /admin/reaction > lists active and inactive reactions…')],
  }),
  fact('8.5', 'PUT changes what it is given of title, ruleset and active; a ruleset is replaced.', {
    tests: [put('changes title, ruleset and active one by one, and leaves the rest as it is')],
  }),
  fact('8.6', 'PUT answers 400 to nothing to update, an invalid value or a title in use.', {
    tests: [
      put('answers … with 400'),
      put('answers 400 when the title is in use by another reaction, and 200 when it is its own'),
    ],
  }),
  fact('8.7', 'PUT and DELETE answer 404 where there is no such id.', {
    tests: [put('answers 404 when there is no such id'), remove('answers 404 when there is no such id')],
  }),
  fact('8.8', 'A reactionId that is absent or no UUID is answered with 500.', {
    tests: [put('answers 400 when the reactionId is …')],
    differs: {
      lrsql: 'A malformed `reactionId` is answered with 500',
      here: '400',
      because: 'The mistake is the client’s.',
    },
  }),
  fact('8.9', 'DELETE answers 200 with the reactionId.', {
    tests: [remove('answers 200 with the reactionId, and the reaction is listed no more')],
  }),
  fact('9.1', 'The row, the title and the links of a deleted reaction stay.', {
    tests: [
      facts('section 9.1: …'),
      stored('are kept when deleted, the latest ones, as many and as large as there may be others'),
    ],
    differs: {
      lrsql: 'Deleted reactions are kept for ever',
      here: 'The latest are, as many as there may be others; where a removed one is named, its title is empty',
      because: 'Whatever a client can make large has a limit.',
    },
  }),
  fact('9.2', 'The title of a deleted reaction cannot be used again.', {
    tests: [remove('frees the title')],
    differs: {
      lrsql: 'The title of a deleted reaction is taken for ever',
      here: 'It can be used again',
      because: 'Nobody can see what has the title.',
    },
  }),
  fact('9.3', 'Deleting again answers 200.', { tests: [remove('answers 200 when it is deleted again')] }),
  fact('9.4', 'PUT with active shows a deleted reaction again; without active it stays hidden.', {
    tests: [remove('is undone by a PUT with active; a PUT without it leaves the reaction hidden')],
  }),
  fact('11.1', 'The same combination of statements may generate again.', {
    tests: [facts('section 11.1: …'), onEngines('make a combination once when two processes take turns')],
    differs: {
      lrsql: 'A combination may fire again',
      here: 'It never does, for one version of the ruleset',
      because: 'A crash or a replay must not certify a learner twice.',
    },
  }),
  fact('11.2', 'There are no counters, no route for one reaction, no dry run and no history.', {
    tests: [routes('GET /admin/reaction/{id} > shows a reaction with counters, lag and firings')],
    differs: {
      lrsql: '–',
      here: '`version`, `fired`, `failed`, `lastFired`; `reason`, `remedy`, `triggerId` and `time` in `error`; `GET /admin/reaction/{id}`, firings, preview, replay; warnings; `expectedModified` in PUT',
      because: 'Operators can see and try what reactions do.',
    },
  }),
];
