import { choice, flag, ignored, integer } from './kinds.ts';

/** Keys of the reaction engine, in the group `lrs`. */
export const reactions = {
  enableReactions: flag(
    'Statements that the LRS makes itself when others fulfil conditions, and the routes under `/admin/reaction`: [reactions.md](reactions.md).',
  ).default(false),
  reactionBufferSize: ignored(
    'statements that may trigger reactions are read from the store, and none is dropped',
    'Triggers that may wait in memory.',
  ),
  reactionVersion: choice(
    ['1.0.3', '2.0.0'],
    'xAPI version of generated statements and of the paths in rulesets; one of `supportedVersions`.',
  ).default('1.0.3'),
  reactionMaxReplays: integer('Most replays of reactions that go on at the same time.')
    .min(1)
    .max(100)
    .default(5),
  reactionPreviewStatements: integer('Most statements that one preview of a ruleset examines.')
    .min(1)
    .max(1_000_000)
    .default(10_000),
  reactionPreviewMilliseconds: integer(
    'How long one preview may take (ms); it answers what it has found by then.',
  )
    .min(100)
    .max(25_000)
    .default(5000),
  reactionPreviewBytes: integer('Most bytes of statements that one preview reads.')
    .min(65_536)
    .default(67_108_864),
  reactionRulesetMaxBytes: integer(
    'Largest ruleset in bytes, as JSON; beyond it the answer is 400. The request that contains it is limited by `maxAdminBodyBytes`, so larger rulesets need both raised.',
  )
    .min(1024)
    .max(1_048_576)
    .default(65_536),
  reactionAllRulesetsMaxBytes: integer(
    'Most bytes of all rulesets together, those of deleted reactions aside: `GET /admin/reaction` answers with all of them. The rulesets of the latest deleted ones are kept up to as many bytes.',
  )
    .min(65_536)
    .default(8_388_608),
  reactionMaxConditions: integer('Most conditions of a ruleset.').min(1).max(100).default(10),
  reactionMaxClauses: integer('Most comparisons of a ruleset, and most identity paths.')
    .min(1)
    .max(10_000)
    .default(200),
  reactionMaxStored: integer(
    'Most reactions that are not deleted; of deleted ones the latest are kept, as many, and can be brought back.',
  )
    .min(1)
    .max(10_000)
    .default(1000),
  reactionMaxActive: integer('Most active reactions.').min(1).max(10_000).default(500),
  reactionMaxCandidates: integer(
    'Most stored statements that one reaction looks at for one trigger; beyond it the reaction stops with an error.',
  )
    .min(10)
    .default(10_000),
  reactionMaxCandidateBytes: integer(
    'Most bytes of stored statements that one reaction reads for one trigger, of statements that it makes of one, and by which stored statements with the same ids are longer than these; beyond it the reaction stops with an error. All reactions to one trigger may make twice as much together; beyond that the one that makes most stops.',
  )
    .min(65_536)
    .default(8_388_608),
  reactionMaxMemory: integer(
    'Most bytes of memory, as estimated, that all reactions, replays and previews of a process take together: for the statements that they look at, and for those that they make until these are stored. One reaction may take three eighths to find what matches one trigger, and all reactions to one trigger three eighths for what they make; beyond it a reaction stops with an error. Of statements that consist of very many small values, memory is used up before `reactionMaxCandidateBytes` is.',
  )
    .min(8_388_608)
    .default(134_217_728),
  reactionMaxMilliseconds: integer(
    'How long (ms) one reaction may evaluate its conditions and plan its searches for one trigger; beyond it the reaction stops with an error.',
  )
    .min(10)
    .max(60_000)
    .default(5000),
  reactionSharedMilliseconds: integer(
    'How long (ms) reactions may hold up each other: what counts is the time for which one works on a trigger beyond 10 ms, or all of them beyond 100 ms. Those that take longest are not stopped then: each has a consumer of its own until it has caught up.',
  )
    .min(1)
    .max(20_000)
    .default(1000),
  reactionMaxMatches: integer(
    'Most statements that one reaction makes for one trigger; beyond it the reaction stops with an error.',
  )
    .min(1)
    .max(10_000)
    .default(1000),
  reactionStatementMaxBytes: integer('Largest statement in bytes that a reaction makes.')
    .min(1024)
    .default(262_144),
  reactionMaxChain: integer(
    'Most reactions that trigger each other in a row, each by the statement that the one before has made.',
  )
    .min(1)
    .max(100)
    .default(10),
  reactionMaxChainStatements: integer(
    'Most statements that all reactions together make from one statement that none of them has made: those that it triggers, those that these trigger, and so on; a reaction whose statements of one trigger would be more makes none of them and stops with an error.',
  )
    .min(1)
    .max(100_000)
    .default(5000),
};
