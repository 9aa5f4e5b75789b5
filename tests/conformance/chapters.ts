import type { Chapter } from './requirement.ts';
import { actorVerbObject } from './requirements/data-actor-verb-object.ts';
import { otherProperties } from './requirements/data-properties.ts';
import { dataTypes, results, signatures } from './requirements/data-results-signatures-types.ts';
import { formatting, lifecycle } from './requirements/data-statements.ts';

/** All that is required, in the order of the specification. */
export const chapters: readonly Chapter[] = [
  formatting,
  lifecycle,
  actorVerbObject,
  otherProperties,
  results,
  signatures,
  dataTypes,
];
