import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../lib/errors.ts';
import { errorPage } from '../../../lib/openapi/error-page.ts';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

describe('docs/errors.md', () => {
  it('is what scripts/generate-errors.ts writes', () => {
    expect(page).toBe(errorPage());
  });

  it('has one row for every code, with a status, a meaning and a remedy', () => {
    const rows = page.split('\n').filter((line) => /^\| `[a-z-]+` \| \d/.test(line));
    expect(rows).toHaveLength(Object.keys(errorCodes).length);
    for (const code of Object.keys(errorCodes)) {
      expect(rows.filter((row) => row.startsWith(`| \`${code}\` |`))).toEqual([
        expect.stringMatching(/^\| `[a-z-]+` \| [45]\d\d \| [A-Z].*\. \| [A-Z].*\. \|$/),
      ]);
    }
  });
});
