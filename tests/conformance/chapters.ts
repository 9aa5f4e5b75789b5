import type { Chapter } from './requirement.ts';
import { descriptions, documentResources } from './requirements/communication-documents.ts';
import { contentTypes, requests } from './requirements/communication-requests.ts';
import { allResources, statementResource } from './requirements/communication-statements.ts';
import {
  authentication,
  concurrencyControl,
  errorCodes,
  versioning,
} from './requirements/communication-validation.ts';
import { actorVerbObject } from './requirements/data-actor-verb-object.ts';
import { otherProperties } from './requirements/data-properties.ts';
import { dataTypes, results, signatures } from './requirements/data-results-signatures-types.ts';
import { formatting, lifecycle } from './requirements/data-statements.ts';
import { differences } from './requirements/version-2.ts';

/** All that is required, in the order of the specification. */
export const chapters: readonly Chapter[] = [
  formatting,
  lifecycle,
  actorVerbObject,
  otherProperties,
  results,
  signatures,
  dataTypes,
  requests,
  contentTypes,
  allResources,
  statementResource,
  documentResources,
  descriptions,
  concurrencyControl,
  errorCodes,
  versioning,
  authentication,
  differences,
];
