import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAuthorityTemplate } from '../../../lib/credentials/authority-template.ts';
import { InvalidError } from '../../../lib/errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lrs-authority-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function template(text: string): string {
  const file = join(folder, 'authority.json.template');
  writeFileSync(file, text);
  return file;
}

const credential = { id: 'cred', accountId: 'acc' };

describe('the authority template', () => {
  it('gives an agent with an account named like the credential when there is no file', async () => {
    const authorityOf = await readAuthorityTemplate(null, 'http://example.org');
    expect(authorityOf(credential)).toEqual({
      objectType: 'Agent',
      account: { homePage: 'http://example.org', name: 'cred' },
    });
  });

  it('has its variables replaced, as JSON text', async () => {
    const file = template(
      '{"name": "{{ account-id }} {{cred-id}}", "account": {"homePage": "{{authority-url}}", "name": "x"}}',
    );
    const authorityOf = await readAuthorityTemplate(file, 'http://example.org/$&');
    expect(authorityOf({ id: 'a"b\\', accountId: 'acc' })).toEqual({
      name: 'acc a"b\\',
      account: { homePage: 'http://example.org/$&', name: 'x' },
    });
  });

  it.each([
    ['no JSON', '{"mbox": '],
    ['an unknown variable', '{"account": {"homePage": "http://a.example", "name": "{{cred}}"}}'],
    ['an agent without identifier', '{"name": "LRS"}'],
    ['a group', '{"objectType": "Group", "member": [{"mbox": "mailto:a@example.org"}]}'],
    ['an identifier that breaks the rules', '{"mbox": "a@example.org"}'],
  ])('is refused at the start with %s', async (_, text) => {
    const reading = readAuthorityTemplate(template(text), 'http://example.org');
    await expect(reading).rejects.toThrow(InvalidError);
    await expect(reading).rejects.toThrow(/^The authority template .* must give an Agent\. \S/);
  });

  it('is refused with one sentence that names the place of the mistake', async () => {
    const reading = readAuthorityTemplate(template('{"mbox": "a@example.org"}'), 'http://example.org');
    await expect(reading).rejects.toThrow(/authority\.mbox must be a mailto IRI/);
  });

  it('is refused when it is no file', async () => {
    await expect(readAuthorityTemplate(folder, 'http://example.org')).rejects.toThrow(
      `The template ${folder} can't be read.`,
    );
  });
});
