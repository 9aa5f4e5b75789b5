import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { singleParameters } from '../../../lib/single-parameters.ts';
import { readPutParameters, readStatementParameters } from '../../../lib/statements/parameters.ts';

const limits = { stmtGetDefault: 50, stmtGetMax: 200 };
const read = (query: string) => readStatementParameters(new URLSearchParams(query), limits);
const id = '6b1b2d6e-6a3c-4d70-9d0f-1f3f3a0b1c2d';

const filterOf = (query: string) => {
  const selection = read(query);
  if (!('filter' in selection)) throw new Error('not a filter');
  return selection.filter;
};

describe('the parameters of GET statements (xAPI 1.0.3 Communication 2.1.3)', () => {
  it('have defaults', () => {
    expect(read('')).toEqual({
      format: 'exact',
      attachments: false,
      filter: { relatedAgents: false, relatedActivities: false, ascending: false, limit: 50 },
    });
  });

  it('become a filter', () => {
    const agent = { mbox: 'mailto:a@example.org' };
    const query = new URLSearchParams({
      agent: JSON.stringify(agent),
      verb: 'http://example.org/verb',
      activity: 'http://example.org/activité',
      registration: id.toUpperCase(),
      related_agents: 'true',
      related_activities: 'true',
      ascending: 'true',
      limit: '7',
      from: '1700000000000001',
    });
    expect(readStatementParameters(query, limits)).toMatchObject({
      filter: {
        agent,
        verb: 'http://example.org/verb',
        activity: 'http://example.org/activité',
        registration: id,
        relatedAgents: true,
        relatedActivities: true,
        ascending: true,
        limit: 7,
        from: 1_700_000_000_000_001,
      },
    });
  });

  it.each([
    ['1970-01-01T00:00:01Z', 1_000_000],
    ['1970-01-01T01:00:00.000001+01:00', 1],
    ['1970-01-01T00:00:00.0000019Z', 1],
    ['1969-12-31T23:59:59.9Z', 0],
    ['0001-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59Z', Number.MAX_SAFE_INTEGER],
  ])('take %s for the position %i', (timestamp, position) => {
    expect(filterOf(new URLSearchParams({ since: timestamp, until: timestamp }).toString())).toMatchObject({
      since: position,
      until: position,
    });
  });

  it.each([
    ['limit=0', 200],
    ['limit=201', 200],
    ['limit=99999999999999999999999', 200],
    ['limit=1', 1],
    ['', 50],
  ])('give "%s" a page of %i', (query, limit) => {
    expect(filterOf(query).limit).toBe(limit);
  });

  it('ask for one statement by either id, whatever its case', () => {
    expect(read(`statementId=${id.toUpperCase()}&format=ids&attachments=true`)).toEqual({
      format: 'ids',
      attachments: true,
      id,
      voided: false,
    });
    expect(read(`voidedStatementId=${id}`)).toMatchObject({ id, voided: true });
  });

  it.each([
    `statementId=${id}&voidedStatementId=${id}`,
    `statementId=${id}&limit=1`,
    `voidedStatementId=${id}&ascending=false`,
    `statementId=${id}&from=1`,
    'statementId=x',
    'registration=x',
    'verb=x',
    'activity=',
    'agent=x',
    'agent={}',
    'agent={"objectType":"Group","member":[]}',
    'since=yesterday',
    'until=2015-11-18',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=1e1',
    'related_agents=1',
    'related_activities=True',
    'attachments=TRUE',
    'ascending=yes',
    'ascending=%20true',
    'attachments=true%20',
    'related_agents=',
    'format=EXACT',
    'from=x',
    'limit=1&limit=2',
    'ascending=true&ascending=true',
  ])('refuse %s', (query) => {
    expect(() => read(query)).toThrow(InvalidError);
  });

  it.each([
    ['StatementId=x', /nearest known one is statementId/],
    ['Related_Agents=true', /nearest known one is related_agents/],
    ['agents=x', /nearest known one is agent;/],
    ['page_size=x', /is not known: known are statementId, .*, format[^;]*; names/],
    ['method=GET', /not known/],
    ['__proto__=x', /not known/],
  ])(
    'refuse the unknown name of %s and say which is meant (xAPI 1.0.3 Communication 3.2)',
    (query, message) => {
      expect(() => read(query)).toThrow(message);
    },
  );

  it('report every bad value at once', () => {
    const details = errorOf(() => read('limit=x&format=y'))?.details;
    const section = 'xAPI 1.0.3 Communication 2.1.3';
    expect(details).toEqual([
      { path: 'limit', message: 'must be a whole number, 0 or more', section },
      { path: 'format', message: 'must be one of [exact, ids, canonical]', section },
    ]);
  });
});

describe('the parameters of PUT and POST statements', () => {
  it('are a statementId for PUT and nothing else (xAPI 1.0.3 Communication 2.1.1)', () => {
    expect(readPutParameters(new URLSearchParams({ statementId: id.toUpperCase() }))).toBe(id);
    for (const query of ['', 'statementId=x', `StatementId=${id}`, `statementId=${id}&a=1`]) {
      expect(() => readPutParameters(new URLSearchParams(query))).toThrow(InvalidError);
    }
  });

  it('are none for POST (xAPI 1.0.3 Communication 2.1.2)', () => {
    expect(() => singleParameters(new URLSearchParams(), [])).not.toThrow();
    expect(() => singleParameters(new URLSearchParams({ statementId: id }), [])).toThrow(/no parameters/);
  });
});

function errorOf(work: () => unknown): InvalidError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidError) return error;
  }
  return undefined;
}
