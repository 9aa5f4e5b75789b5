import type { XapiVersion } from '../../types.ts';

/** Where each subject is ruled in the two specifications. */
const sections = {
  formatting: ['Data 2.2', '4.2.1'],
  voiding: ['Data 2.3.2', '4.2.5'],
  statement: ['Data 2.4', '4.2.2'],
  agent: ['Data 2.4.2.1', '4.2.2.1'],
  group: ['Data 2.4.2.2', '4.2.2.1'],
  identifier: ['Data 2.4.2.3', '4.2.2.1'],
  account: ['Data 2.4.2.4', '4.2.2.1'],
  verb: ['Data 2.4.3', '4.2.2.2'],
  object: ['Data 2.4.4', '4.2.2.3'],
  activity: ['Data 2.4.4.1', '4.2.2.3'],
  'actor as object': ['Data 2.4.4.2', '4.2.2.3'],
  'statement as object': ['Data 2.4.4.3', '4.2.2.3'],
  result: ['Data 2.4.5', '4.2.2.4'],
  score: ['Data 2.4.5.1', '4.2.2.4'],
  context: ['Data 2.4.6', '4.2.2.5'],
  'context activities': ['Data 2.4.6.2', '4.2.2.5'],
  authority: ['Data 2.4.9', '4.2.2'],
  version: ['Data 2.4.10', '4.2.2'],
  attachment: ['Data 2.4.11', '4.2.2.6'],
  extensions: ['Data 4.1', '4.2.7'],
  'language map': ['Data 4.2', '4.2.7'],
  iri: ['Data 4.3', '4.2.7'],
  uuid: ['Data 4.4', '4.2.7'],
  timestamp: ['Data 4.5', '4.2.7'],
  duration: ['Data 4.6', '4.2.7'],
} as const;

/** What a rule is about. */
export type Subject = keyof typeof sections;

/** The part of the specification that rules the subject, e.g. `xAPI 1.0.3 Data 2.4.3`. */
export function sectionOf(subject: Subject, version: XapiVersion): string {
  return `xAPI ${version} ${sections[subject][version === '1.0.3' ? 0 : 1]}`;
}
