import type { Chapter } from '../requirement.ts';
import { actor, normalise, object, properties, statements, validate, writes } from '../test-files.ts';

const suffix = '(xAPI 1.0.3 Data 2.4.6) under …';

export const otherProperties: Chapter = {
  heading: 'Data 2.4.5 – 2.4.11: result, context, timestamp, stored, authority, version, attachments',
  requirements: [
    {
      id: 'Data 2.4.5-1',
      text: 'The properties of a result have their types.',
      tests: [properties('a result > accepts result…'), properties('a result > refuses result…')],
    },
    {
      id: 'Data 2.4.5.1-1',
      text: 'A scaled score is between -1 and 1; a raw score is between min and max.',
      tests: [
        properties('refuses result.score.scaled = 1.01…'),
        properties('refuses result.score.scaled = -1.01…'),
        properties('refuses result.score = {"raw":4,"min":5}…'),
        properties('refuses result.score = {"raw":7,"max":6}…'),
      ],
    },
    {
      id: 'Data 2.4.6-1',
      text: 'The properties of a context have their types.',
      tests: [properties('a context > accepts context…'), properties('a context > refuses context…')],
    },
    {
      id: 'Data 2.4.6-2',
      text: 'Revision is refused unless the object is an Activity.',
      tests: [object('must be an Activity where the context has revision or platform…')],
    },
    {
      id: 'Data 2.4.6-3',
      text: 'Platform is refused unless the object is an Activity.',
      tests: [object('must be an Activity where the context has revision or platform…')],
    },
    {
      id: 'Data 2.4.6.2-1',
      text: 'Keys of contextActivities are parent, grouping, category and other.',
      tests: [properties(`refuses context.contextActivities.parents = … ${suffix}`)],
    },
    {
      id: 'Data 2.4.6.2-2',
      text: 'A value is an Activity or a list of Activities.',
      tests: [
        properties(`accepts context.contextActivities.parent = {"id":… ${suffix}`),
        properties(`accepts context.contextActivities.other = [… ${suffix}`),
        properties(`refuses context.contextActivities.parent = "… ${suffix}`),
        properties(`refuses context.contextActivities.parent = [[… ${suffix}`),
      ],
    },
    {
      id: 'Data 2.4.6.2-3',
      text: 'Every value comes back as a list.',
      tests: [statements('a single context activity comes back as a list of one…')],
    },
    {
      id: 'Data 2.4.6.2-4',
      text: 'A single Activity comes back as a list of that one.',
      tests: [
        statements('a single context activity comes back as a list of one…'),
        normalise('turns a single context activity into a list of one…'),
        normalise('does so in a SubStatement…'),
      ],
    },
    {
      id: 'Data 2.4.7-1',
      text: 'A timestamp is of the data type Timestamp (Data 4.5).',
      tests: [properties('refuses timestamp = …')],
    },
    {
      id: 'Data 2.4.8-1',
      text: 'The LRS sets stored, whatever was sent.',
      tests: [writes('sets stored, authority and, where they are missing, timestamp and version…')],
    },
    {
      id: 'Data 2.4.9-1',
      text: 'An authority is an Agent, or a Group of two Agents for 3-legged OAuth.',
      tests: [actor('an authority under …')],
    },
    {
      id: 'Data 2.4.9-2',
      text: 'Who connects by HTTP Basic Authentication is the whole authority, as an Agent.',
      tests: [
        statements('the authority is the Agent of the key pair, whatever was claimed…'),
        writes('sets stored, authority and, where they are missing, timestamp and version…'),
      ],
    },
    {
      id: 'Data 2.4.9-3',
      text: 'Every stored Statement has an authority.',
      tests: [
        statements('the authority is the Agent of the key pair, whatever was claimed…'),
        writes('sets stored, authority and, where they are missing, timestamp and version…'),
      ],
    },
    {
      id: 'Data 2.4.10-1',
      text: 'A version is formatted like the version header.',
      tests: [properties('refuses version = "1.0."…'), properties('refuses version = 1…')],
    },
    {
      id: 'Data 2.4.10-2',
      text: 'Versions that start with 1.0. are accepted.',
      tests: [properties('accepts version = "1.0.9"…'), properties('accepts version = "1.0.3-rc1"…')],
    },
    {
      id: 'Data 2.4.10-3',
      text: 'Other versions are refused.',
      tests: [
        properties('refuses version = "1.1.0"…'),
        properties('refuses version = "0.9.9"…'),
        properties('refuses version = "2.0.0"…'),
      ],
    },
    {
      id: 'Data 2.4.10-4',
      text: 'A version is kept; a Statement without one gets 1.0.0.',
      tests: [writes('sets stored, authority and, where they are missing, timestamp and version…')],
    },
    {
      id: 'Data 2.4.11-1',
      text: 'An attachment has usageType, display, contentType, length and sha2, all of their types.',
      tests: [
        validate('requires attachments.0.…'),
        properties('an Attachment > accepts attachments = …'),
        properties('an Attachment > refuses attachments = …'),
      ],
    },
  ],
};
