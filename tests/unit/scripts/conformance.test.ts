import { describe, expect, it } from 'vitest';
import { report } from '../../../scripts/conformance/report.ts';
import { readSuiteLog, shortcomings } from '../../../scripts/conformance/suite-log.ts';

const test = (title: string, status: string, error?: string): object => ({ title, status, error, tests: [] });
const group = (title: string, tests: object[], error?: string): object => ({
  title,
  status: 'x',
  error,
  tests,
});

function logOf(sections: object[], { state = 'finished', passed = 0, failed = 0 } = {}): string {
  return JSON.stringify({ state, summary: { passed, failed }, log: group('', sections) });
}

const mixed = logOf(
  [
    group('State', [
      test('PUT', 'passed'),
      group('GET', [test('one', 'passed'), test('many', 'failed', 'got 404')]),
    ]),
    group('About', [test('GET', 'passed')]),
  ],
  { passed: 3, failed: 1 },
);
const clean = logOf([group('About', [test('GET', 'passed'), test('HEAD', 'passed')])], { passed: 2 });

describe('the log of the official suite', () => {
  it('is counted by its top-level groups, however deep the tests lie', () => {
    expect(readSuiteLog(mixed).sections).toEqual([
      { title: 'State', passed: 2, failed: 1 },
      { title: 'About', passed: 1, failed: 0 },
    ]);
  });

  it('tells of each failure where it is and what went wrong', () => {
    expect(readSuiteLog(mixed).failures).toEqual([{ path: ['State', 'GET', 'many'], error: 'got 404' }]);
  });

  it('counts a test that did not end and a hook that failed as failures', () => {
    const { sections, failures } = readSuiteLog(
      logOf([group('State', [test('PUT', ''), group('GET', [test('one', 'passed')], 'no connection')])]),
    );
    expect(sections).toEqual([{ title: 'State', passed: 1, failed: 2 }]);
    expect(failures.map(({ error }) => error)).toEqual(['The test did not end.', 'no connection']);
  });

  it('is refused when it is something else', () => {
    expect(() => readSuiteLog('{"log":{"tests":3}}')).toThrow(/without title/);
  });
});

describe('a run', () => {
  it('shows conformance when all its tests pass and there are enough of them', () => {
    expect(shortcomings(readSuiteLog(clean), 2)).toEqual([]);
  });

  it.each([
    ['has a failure', mixed, 4, 'Failed tests: 1.'],
    ['has fewer tests than the floor', clean, 3, '2 tests ran, but there must be at least 3.'],
    ['breaks off', logOf([], { state: 'error' }), 0, 'The suite did not reach its end.'],
    ['has no tests', '{"state":"finished"}', 1, '0 tests ran, but there must be at least 1.'],
  ])('does not when it %s', (_, log, floor, problem) => {
    expect(shortcomings(readSuiteLog(log), floor)).toEqual([problem]);
  });

  it('is reported by section, with its failures below', () => {
    expect(report('xAPI 1.0.3', readSuiteLog(mixed)).split('\n')).toEqual([
      'xAPI 1.0.3',
      'passed  failed',
      '     2       1  State',
      '     1       0  About',
      '     3       1  Total',
      '',
      'State',
      '  GET',
      '    many',
      '→ got 404',
    ]);
  });
});
