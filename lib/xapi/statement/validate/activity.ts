import { TextSet } from '../../../text-map.ts';
import {
  type Activity,
  type ActivityDefinition,
  type InteractionComponent,
  type InteractionComponentList,
  type InteractionType,
  interactionComponentLists,
  interactionTypes,
} from '../../types.ts';
import { arrayOf, type Check, isObject, objectOf, onceOf, oneOf, required } from './check.ts';
import { type Inspection, quoted } from './inspection.ts';
import { checkExtensions, checkIri, checkLanguageMap, checkText } from './value.ts';

/** The component lists that each type of interaction may have (xAPI 1.0.3 Data 2.4.4.1, Interaction Components). */
const listsByInteractionType: Readonly<Record<InteractionType, readonly InteractionComponentList[]>> = {
  'true-false': [],
  choice: ['choices'],
  'fill-in': [],
  'long-fill-in': [],
  matching: ['source', 'target'],
  performance: ['steps'],
  sequencing: ['choices'],
  likert: ['scale'],
  numeric: [],
  other: [],
};

const checkComponents = arrayOf(
  objectOf<InteractionComponent>({
    noun: 'an interaction component',
    subject: 'activity',
    properties: { id: required(checkText), description: checkLanguageMap },
  }),
  { noun: 'interaction components', subject: 'activity' },
);

/** Within one list every id is there once. */
const checkComponentList: Check<readonly InteractionComponent[]> = (
  value,
  inspection,
): value is readonly InteractionComponent[] => {
  if (!checkComponents(value, inspection)) return false;
  const seen = new TextSet();
  const before = inspection.problems;
  for (const [index, { id }] of value.entries()) {
    if (!seen.add(id))
      inspection.refuse(
        'activity',
        `must be unique within the list, but ${quoted(id)} is there twice`,
        index,
        'id',
      );
  }
  return inspection.problems === before;
};

/** What makes an Activity an Interaction Activity must come with an interactionType and fit it. */
function checkInteraction(definition: Readonly<Record<string, unknown>>, inspection: Inspection): void {
  const { interactionType } = definition;
  const lists = interactionComponentLists.filter((list) => definition[list] !== undefined);
  if (interactionType === undefined) {
    const [property] = definition.correctResponsesPattern === undefined ? lists : ['correctResponsesPattern'];
    if (property !== undefined) {
      inspection.refuse('activity', `is required in a definition that has ${property}`, 'interactionType');
    }
    return;
  }
  const type = interactionTypes.find((each) => each === interactionType);
  if (type === undefined) return;
  const permitted = listsByInteractionType[type];
  for (const list of lists) {
    if (!permitted.includes(list)) {
      inspection.refuse('activity', `is not supported by the interactionType "${interactionType}"`, list);
    }
  }
}

const checkDefinition = objectOf<ActivityDefinition>({
  noun: 'an Activity definition',
  subject: 'activity',
  properties: {
    name: checkLanguageMap,
    description: checkLanguageMap,
    type: checkIri,
    moreInfo: checkIri,
    interactionType: oneOf(interactionTypes, 'activity'),
    correctResponsesPattern: arrayOf(checkText, { noun: 'strings', subject: 'activity' }),
    choices: checkComponentList,
    scale: checkComponentList,
    source: checkComponentList,
    target: checkComponentList,
    steps: checkComponentList,
    extensions: checkExtensions,
  },
  across: checkInteraction,
});

export const checkActivity = onceOf(
  objectOf<Activity>({
    noun: 'an Activity',
    subject: 'activity',
    properties: {
      objectType: oneOf(['Activity'], 'activity'),
      id: required(checkIri),
      definition: checkDefinition,
    },
  }),
);

const checkActivities = arrayOf(checkActivity, { noun: 'Activities', subject: 'context activities' });

export const checkActivityOrActivities: Check<Activity | readonly Activity[]> = (
  value,
  inspection,
): value is Activity | readonly Activity[] => {
  if (Array.isArray(value)) return checkActivities(value, inspection);
  if (isObject(value)) return checkActivity(value, inspection);
  return inspection.mismatch('context activities', 'must be an Activity or an array of Activities', value);
};
