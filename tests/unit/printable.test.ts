import { expect, it } from 'vitest';
import { printable, printableLines } from '../../lib/printable.ts';

it('characters that act on a terminal are shown as escapes', () => {
  expect(printable('a\u001b[2J\nDifferences: 0\u202eb')).toBe('a\\u001b[2J\\u000aDifferences: 0\\u202eb');
  expect(printable('Zoë Ünal ☃ 日本語')).toBe('Zoë Ünal ☃ 日本語');
});

it('the ends of lines stay where a text has several', () => {
  expect(printableLines('a\r\nb')).toBe('a\\u000d\nb');
});
