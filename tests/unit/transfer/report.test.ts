import { describe, expect, it } from 'vitest';
import { Findings, isClean, reportLines } from '../../../lib/transfer/parity/report.ts';

describe('the report of an import', () => {
  it('lists so many refused records, and counts the others', () => {
    const findings = new Findings();
    for (let line = 1; line <= 10_003; line += 1) {
      findings.addRefused({ kind: 'statement', place: `line ${line}`, refused: 'It has no verb.' });
    }
    const report = findings.report({ unread: [], isOther: false, trusted: true, notices: [] });
    expect([report.refused.length, report.refused.at(-1)?.place, report.moreRefused]).toEqual([
      10_000,
      'line 10000',
      3,
    ]);
    expect(isClean(report)).toBe(false);
    expect(reportLines(report)).toContain('Refused: 10003');
    expect(reportLines(report)).toContain('Statements: 10003 in the source, 10003 of them refused, 0 here');
  });

  it.each([
    [1, 'Not compared: 1 record of the kind statement was imported, and the source had 0 when'],
    [1500, 'Not compared: 1,500 records of the kind statement were imported, and the source had 0 when'],
  ])('counts %i imported records that the source has lost in the right number', (imported, line) => {
    const unread = [{ kind: 'statement', imported, read: 0 } as const];
    const report = new Findings().report({ unread, isOther: true, trusted: true, notices: [] });
    expect(reportLines(report).join('\n')).toContain(line);
  });

  it('says that stored, authority and order are new where they are not kept', () => {
    const line = 'New and not compared: stored, authority and order, because --trusted was not given';
    const linesOf = (trusted: boolean): readonly string[] => {
      const findings = new Findings();
      const statement = { hash: '0', verb: 'https://example.org/did', day: '2026-01-01', actor: '' };
      findings.addStatement('source', statement);
      return reportLines(findings.report({ unread: [], isOther: false, trusted, notices: [] }));
    };
    expect(linesOf(false)).toContain(line);
    expect(linesOf(true)).not.toContain(line);
  });
});
