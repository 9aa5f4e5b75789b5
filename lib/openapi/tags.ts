/** The groups that operations are shown in, in this order. */
export const tags = {
  Statements: 'What learners did, as statements (xAPI 1.0.3 Communication 2.1).',
  Attachments: 'Large attachments, which go directly into a bucket and out of it.',
  State: 'Documents of an Activity and an Agent (2.3).',
  Agents: 'What statements tell about an Agent (2.4).',
  'Agent profiles': 'Documents of an Agent (2.6).',
  Activities: 'What statements tell about an Activity (2.5).',
  'Activity profiles': 'Documents of an Activity (2.7).',
  About: 'What this LRS speaks (2.8).',
  Accounts: 'The people who administer, their passwords and tokens.',
  'Key pairs': 'What learning record providers identify themselves with.',
  Export: 'Statements as a table or as JSON, and everything in one file.',
  Browse: 'Which Agents, Activities and documents there are.',
  Audit: 'Who did what through the administration.',
  Reactions: 'Statements that the LRS makes itself.',
  Stores: 'Stores beside the default one, each with a database of its own.',
  Screen: 'The pages for people who administer.',
  Server: 'What the server tells about itself.',
} as const;

export type Tag = keyof typeof tags;
