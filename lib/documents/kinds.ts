import type { XapiVersion } from '../xapi/types.ts';
import type { DocumentKind } from './types.ts';

export type OwnerParameter = 'activityId' | 'agent' | 'registration';
export type IdParameter = 'stateId' | 'profileId';

/**
 * What becomes of a PUT that has neither If-Match nor If-None-Match: it is stored, it is stored unless there is a
 * document, or it is refused.
 */
export type UnconditionalPut = 'stored' | 'stored-when-new' | 'refused';

/** All that tells one kind of document from another. */
export interface DocumentKindRules {
  /** The parameters that say whose documents are meant; `registration` may be left out, the others may not. */
  readonly owner: readonly OwnerParameter[];
  /** The parameter that names the document. */
  readonly id: IdParameter;
  /** Whether DELETE without an id deletes all documents of the owner. */
  readonly deletesMany: boolean;
  readonly unconditionalPut: Readonly<Record<XapiVersion, UnconditionalPut>>;
  /**
   * In which versions a PUT may bring content that is not the JSON which its Content-Type announces. That such content is
   * refused is a SHOULD of xAPI 1.0.3 Communication 3.2; authoring tools in wide use keep their state in this way.
   */
  readonly looseJson: readonly XapiVersion[];
  readonly section: string;
}

const profile = {
  id: 'profileId',
  deletesMany: false,
  unconditionalPut: { '1.0.3': 'refused', '2.0.0': 'stored-when-new' },
  looseJson: [],
} as const;

/** The rules of xAPI 1.0.3 Communication 2.3, 2.6, 2.7 and 3.1, and of 2.0.0 section 4.1.4. */
export const documentKinds: Readonly<Record<DocumentKind, DocumentKindRules>> = {
  'activities/state': {
    owner: ['activityId', 'agent', 'registration'],
    id: 'stateId',
    deletesMany: true,
    unconditionalPut: { '1.0.3': 'stored', '2.0.0': 'stored-when-new' },
    looseJson: ['1.0.3'],
    section: 'xAPI 1.0.3 Communication 2.3',
  },
  'agents/profile': { ...profile, owner: ['agent'], section: 'xAPI 1.0.3 Communication 2.6' },
  'activities/profile': { ...profile, owner: ['activityId'], section: 'xAPI 1.0.3 Communication 2.7' },
};
