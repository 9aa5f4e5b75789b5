import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurationPage } from '../../../config/documentation.ts';
import { keys } from '../../../config/schema/keys.ts';

const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

describe('docs/configuration.md', () => {
  it('is what scripts/generate-configuration.ts writes', () => {
    expect(page).toBe(configurationPage());
  });

  it('keeps what has no effect in this release apart', () => {
    for (const table of page.split(/\n\n(?=\| Key)/).slice(1)) {
      const rows = table.split('\n').filter((line) => line.startsWith('| `'));
      const without = rows.filter((row) => /\*\*No effect\*\*/.test(row));
      expect([0, rows.length]).toContain(without.length);
    }
  });

  it('has no section without a text', () => {
    expect(page).not.toMatch(/^## .*\n+## /m);
  });

  it('has no empty code span', () => {
    expect(page.split('\n').filter((line) => /[^`]``[^`]/.test(line))).toEqual([]);
  });

  it('has one row for every key, with a meaning', () => {
    for (const key of keys.values()) {
      expect(key.description).toMatch(/\.$/);
      expect(page.split('\n').filter((line) => line.startsWith(`| \`${key.name}\` |`))).toHaveLength(1);
    }
  });
});
