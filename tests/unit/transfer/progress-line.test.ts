import { expect, it } from 'vitest';
import { progressLine } from '../../../lib/transfer/progress-line.ts';

it('the line of an import shows what is done, the rate and the time that is left', () => {
  const line = progressLine({ done: 250_000, total: 1_000_000, elapsed: 40_000, before: 50_000 });
  expect(line).toBe('[######..................] 25 % of 1,000,000 statements, 5,000/s, 2 min 30 s left');
});

it('the line of an import of unknown length shows the rate', () => {
  expect(progressLine({ done: 1500, total: undefined, elapsed: 500, before: 0 })).toBe(
    '1,500 statements, 3,000/s',
  );
});

it('the line of an import that was too short to measure shows no rate', () => {
  expect(progressLine({ done: 8, total: undefined, elapsed: 50, before: 8 })).toBe('8 statements');
  expect(progressLine({ done: 8, total: 8, elapsed: 50, before: 8 })).toMatch(/100 % of 8 statements$/);
});

it('the line of an import of one statement says so', () => {
  expect(progressLine({ done: 1, total: undefined, elapsed: 50, before: 1 })).toBe('1 statement');
  expect(progressLine({ done: 1, total: 1, elapsed: 50, before: 1 })).toMatch(/100 % of 1 statement$/);
});

it('long times are shown in hours', () => {
  expect(progressLine({ done: 1, total: 7300, elapsed: 1000, before: 0 })).toContain('2 h 1 min left');
});
