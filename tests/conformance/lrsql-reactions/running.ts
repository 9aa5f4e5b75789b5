import { fact, facts, feedCost, limits, onEngines, routes } from './fact.ts';

/** Sections 3 to 5. */
export const running = [
  fact(
    '3.1',
    'Every statement that is newly stored by POST, PUT or a reaction is a trigger; one sent again is none.',
  ),
  fact('3.2', 'Triggers wait in a queue in memory of reactionBufferSize, beyond which they are dropped.', {
    differs: {
      lrsql: 'Triggers wait in memory: lost in a crash, dropped when the buffer is full',
      here: 'The store is the queue; `reactionBufferSize` has no effect',
      because: 'An acknowledged statement has to have its effect.',
    },
  }),
  fact('3.3', 'Each process works on its own writes, one after the other, after it has answered.', {
    tests: [onEngines('make a combination once when two processes take turns'), facts('section 3.8: …')],
    differs: {
      lrsql: 'A server handles only what it has stored itself',
      here: 'Any server evaluates what all servers have stored',
      because: 'A server that is gone leaves nothing undone.',
    },
  }),
  fact('3.4', 'While no reaction is active, statements are skipped without being read.', {
    tests: [
      facts('section 3.4: …'),
      feedCost('statements that nobody wants are neither read nor written about'),
    ],
  }),
  fact('3.5', 'Each generated statement is stored in a transaction of its own, apart from errors.', {
    tests: [onEngines('make a combination once when two processes take turns')],
    differs: {
      lrsql: 'Each generated statement has a transaction of its own',
      here: 'Statements, links, errors and how far reactions have come are stored in one. Of more than 500 statements, or 2 MiB of them, the first are stored in transactions before it; when the server crashes in between, it goes on with the rest',
      because: 'After a crash nothing is missing and nothing is there twice.',
    },
  }),
  fact('3.6', 'A reaction that occurs in how a trigger came about is skipped for it; another one may fire.', {
    tests: [
      facts('section 3.6: …'),
      limits('is limited in the number of reactions that trigger each other in a row'),
    ],
    differs: {
      lrsql: 'Different reactions trigger each other in a row without limit',
      here: '`reactionMaxChain` of them, and `reactionMaxChainStatements` statements of one that somebody has sent',
      because: 'Whatever a client can make large has a limit.',
    },
  }),
  fact('3.7', 'Every new statement that completes a match generates again.'),
  fact('3.8', 'With enableReactions=false nothing is queued, and the routes are absent.', {
    tests: [
      facts('section 3.8: …'),
      routes('every route is 404 and names the setting while reactions are switched off'),
    ],
    differs: {
      lrsql: 'Statements that are stored while reactions are switched off trigger nothing',
      here: 'They do once reactions are switched on again, if these were active; those stored before the first start with reactions do not',
      because: 'A restart with a wrong setting, or one process without reactions, must not lose anything.',
    },
  }),
  fact('4.1', 'Values at the identity paths group statements; absent paths are ignored.'),
  fact('4.2', 'A trigger without any of them matches nothing, unless there are no paths.'),
  fact('4.3', 'A trigger that has an object or an array at an identity path is skipped.'),
  fact('4.4', 'Every statement of a match has the same values at all paths that are found.'),
  fact('4.5', 'Each condition selects one stored statement, and all conditions hold together.'),
  fact('4.6', 'The trigger is among the matched statements, and none of them is stored later.'),
  fact('4.7', 'One statement may satisfy several conditions.'),
  fact('4.8', 'All stored statements match, voided ones and those that void others included.', {
    differs: {
      lrsql: 'Voided statements match',
      here: 'They do not',
      because: 'Who voids a statement says that it does not count.',
    },
  }),
  fact('4.9', 'Each combination of statements generates one statement.'),
  fact('4.10', 'Scores compare as decimals, success and completion as true and false.'),
  fact('4.11', 'What an extension holds compares as the type of the given value.'),
  fact('4.12', 'Everything else compares as text.'),
  fact('4.13', 'like has % and _; whether case counts depends on the database.', {
    differs: {
      lrsql: '`like` depends on the database',
      here: 'Case-sensitive everywhere',
      because: 'A ruleset means the same on every database.',
    },
  }),
  fact('4.14', 'contains looks for an equal element in the array at the path.'),
  fact('4.15', 'A comparison with a missing value is not true, nor is not of it.'),
  fact(
    '4.16',
    'timestamp, stored and registration compare with refs; on Postgres with given values they may fail.',
    {
      differs: {
        lrsql: 'Comparing `timestamp`, `stored` or `registration` with a `val` may fail on Postgres',
        here: 'It works everywhere; times compare as moments',
        because: 'A ruleset means the same on every database.',
      },
    },
  ),
  fact(
    '5.1',
    'An object whose first member is $templatePath becomes the value at the path in the statement of the condition.',
  ),
  fact('5.2', 'The value may be any JSON.'),
  fact('5.3', 'A path without a value is an error; null is a value.'),
  fact(
    '5.4',
    'The template is filled from its innermost places on; other members of the object are discarded.',
  ),
  fact('5.5', 'An empty object in a template is an error.', {
    differs: {
      lrsql: 'An empty object in the template is an error',
      here: 'It is an empty object',
      because: 'Statements may have empty objects, such as extensions.',
    },
  }),
  fact('5.6', 'What the server has added to matched statements can be taken.'),
];
