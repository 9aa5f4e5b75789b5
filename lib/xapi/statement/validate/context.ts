import type { Context, ContextActivities, ContextAgent, ContextGroup } from '../../types.ts';
import { checkActivityOrActivities } from './activity.ts';
import { checkActor, checkAgent, checkGroup } from './actor.ts';
import { arrayOf, type Check, objectOf, onceOf, oneOf, required } from './check.ts';
import { checkStatementRef } from './statement-ref.ts';
import { checkExtensions, checkIri, checkLanguageTag, checkText, checkUuid } from './value.ts';

const checkContextActivities = onceOf(
  objectOf<ContextActivities>({
    noun: 'contextActivities',
    subject: 'context activities',
    properties: {
      parent: checkActivityOrActivities,
      grouping: checkActivityOrActivities,
      category: checkActivityOrActivities,
      other: checkActivityOrActivities,
    },
  }),
);

const checkRelevantTypes = arrayOf(checkIri, { noun: 'IRIs', subject: 'context', atLeastOne: true });

const checkContextAgent = objectOf<ContextAgent>({
  noun: 'a contextAgent',
  subject: 'context',
  properties: {
    objectType: required(oneOf(['contextAgent'], 'context')),
    agent: required(checkAgent),
    relevantTypes: checkRelevantTypes,
  },
});

const checkContextGroup = objectOf<ContextGroup>({
  noun: 'a contextGroup',
  subject: 'context',
  properties: {
    objectType: required(oneOf(['contextGroup'], 'context')),
    group: required(checkGroup),
    relevantTypes: checkRelevantTypes,
  },
});

const commonProperties = {
  registration: checkUuid,
  instructor: checkActor,
  team: checkGroup,
  contextActivities: checkContextActivities,
  revision: checkText,
  platform: checkText,
  language: checkLanguageTag,
  statement: checkStatementRef,
  extensions: checkExtensions,
};

const checkContextOf103 = objectOf<Omit<Context, 'contextAgents' | 'contextGroups'>>({
  noun: 'a context',
  subject: 'context',
  properties: commonProperties,
  forbidden: {
    contextAgents: 'it came with xAPI 2.0.0',
    contextGroups: 'it came with xAPI 2.0.0',
  },
});

const checkContextOf200 = objectOf<Context>({
  noun: 'a context',
  subject: 'context',
  properties: {
    ...commonProperties,
    contextAgents: arrayOf(checkContextAgent, { noun: 'contextAgents', subject: 'context' }),
    contextGroups: arrayOf(checkContextGroup, { noun: 'contextGroups', subject: 'context' }),
  },
});

export const checkContext: Check<Context> = (value, inspection): value is Context =>
  inspection.version === '1.0.3'
    ? checkContextOf103(value, inspection)
    : checkContextOf200(value, inspection);
