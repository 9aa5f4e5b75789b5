import type { Verb } from '../../types.ts';
import { objectOf, onceOf, required } from './check.ts';
import { checkIri, checkLanguageMap } from './value.ts';

export const checkVerb = onceOf(
  objectOf<Verb>({
    noun: 'a Verb',
    subject: 'verb',
    properties: { id: required(checkIri), display: checkLanguageMap },
  }),
);
