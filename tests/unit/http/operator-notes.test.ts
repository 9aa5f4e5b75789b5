import { describe, expect, it } from 'vitest';
import type { AuditedCall } from '../../../lib/http/call.ts';
import { noteXapiCall } from '../../../lib/http/operator-notes.ts';
import { statementParameterNames } from '../../../lib/statements/parameters.ts';

/** Those that say how much of a search is shown. */
const untold = ['limit', 'from'];

describe('what the audit trail notes of a search for statements', () => {
  it.each(statementParameterNames.filter((name) => !untold.includes(name)))(
    'has the parameter %s',
    (name) => {
      const value = name === 'agent' ? '{"mbox":"mailto:ann@example.org"}' : 'value';
      const call = { method: 'GET', path: '/xapi/statements', query: new URLSearchParams([[name, value]]) };
      const noted = call as unknown as AuditedCall;
      noteXapiCall(noted);
      const { filters = {}, subject, agent } = noted;
      expect([...Object.values(filters), subject, agent]).toContain(
        name === 'agent' ? 'mbox::mailto:ann@example.org' : value,
      );
    },
  );
});
