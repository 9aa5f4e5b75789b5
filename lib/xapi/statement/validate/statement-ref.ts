import type { StatementRef } from '../../types.ts';
import { objectOf, oneOf, required } from './check.ts';
import { checkUuid } from './value.ts';

export const checkStatementRef = objectOf<StatementRef>({
  noun: 'a Statement Reference',
  subject: 'statement as object',
  properties: {
    objectType: required(oneOf(['StatementRef'], 'statement as object')),
    id: required(checkUuid),
  },
});
