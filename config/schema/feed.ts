import { integer } from './kinds.ts';

/** How statements are handed to what works behind their storing, such as reactions. */
export const feed = {
  feedBatchStatements: integer(
    'Most statements that the feed hands to a consumer, such as the reactions, at once.',
  )
    .min(1)
    .max(2000)
    .default(2000),
  feedBatchBytes: integer(
    'Most bytes of JSON text that the feed hands to a consumer at once; a longer statement goes alone.',
  )
    .min(1024)
    .default(1_048_576),
  feedLeaseSeconds: integer(
    'After how long (s) without a sign of life another process takes over the consumers of the feed that a process works for.',
  )
    .min(1)
    .max(300)
    .default(5),
  feedWriteMilliseconds: integer(
    'How long (ms) a function on AWS Lambda that has stored statements may work for the consumers of the feed before it answers, so that reactions need not wait for the background function. 0: not at all. Has no effect in the Node.js server, which does so behind its answers.',
  )
    .min(0)
    .max(10_000)
    .default(0),
};
