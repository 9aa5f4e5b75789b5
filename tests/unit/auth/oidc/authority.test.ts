import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOidcAuthorityTemplate } from '../../../../lib/auth/oidc/authority.ts';
import { InvalidError, UnauthenticatedError } from '../../../../lib/errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lrs-authority-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function template(text: string): string {
  const file = join(folder, 'oidc_authority.json.template');
  writeFileSync(file, text);
  return file;
}

const claims = { iss: 'https://id.example', sub: 'ann', aud: ['lrs', 'other'] };

describe('the authority template for OpenID tokens', () => {
  it.each([
    ['client_id', { ...claims, client_id: 'player', azp: 'x' }, 'player'],
    ['azp', { ...claims, azp: 'player' }, 'player'],
    ['the only audience', { ...claims, aud: 'lrs' }, 'lrs'],
    ['the first audience', claims, 'lrs'],
  ])('gives application and user when there is no file; the application is %s', async (_, given, name) => {
    const authorityOf = await readOidcAuthorityTemplate(null);
    const homePage = 'https://id.example';
    expect(authorityOf(given)).toEqual({
      objectType: 'Group',
      member: [
        { objectType: 'Agent', account: { homePage, name } },
        { objectType: 'Agent', account: { homePage, name: 'ann' } },
      ],
    });
  });

  it('has claims replaced as JSON text, numbers and flags too', async () => {
    const file = template(
      '{"name": "{{given}} {{n}} {{ok}}", "account": {"homePage": "{{iss}}", "name": "x"}}',
    );
    const authorityOf = await readOidcAuthorityTemplate(file);
    expect(authorityOf({ ...claims, given: 'A"n\\n', n: 7, ok: true })).toMatchObject({
      name: 'A"n\\n 7 true',
    });
  });

  it.each([
    ['a mailbox', '{"mbox": "mailto:{{work_mail}}"}'],
    ['a whole mailto IRI', '{"mbox": "{{mailbox}}"}'],
    ['a hash', '{"mbox_sha1sum": "{{mail_hash}}"}'],
    ['an OpenID', '{"openid": "{{profile_page}}"}'],
    ['a home page and a name', '{"account": {"homePage": "{{site}}", "name": "{{nick}}"}}'],
    ['a claim with an address for a name', '{"openid": "{{https://id.example/claims/page}}"}'],
  ])('may take claims that no standard knows for %s', async (_, text) => {
    await expect(readOidcAuthorityTemplate(template(text))).resolves.toBeTypeOf('function');
  });

  it.each([
    ['no JSON', '{"mbox": '],
    ['an Agent without identifier', '{"name": "{{sub}}"}'],
    ['an Identified Group', '{"objectType": "Group", "mbox": "mailto:{{email}}"}'],
    ['a Group of one', '{"objectType": "Group", "member": [{"mbox": "mailto:{{email}}"}]}'],
    ['a claim in a place that it never fits', '{"account": {"homePage": "{{sub}}", "name": "x"}}'],
    ['a filter', '{"account": {"homePage": "{{iss}}", "name": "{{sub|upper}}"}}'],
    ['an empty variable', '{"account": {"homePage": "{{iss}}", "name": "{{}}"}}'],
    ['six claims of its own', `{"openid": "{{iss}}", "name": "${'abcdef'.replace(/./g, '{{$&}}')}"}`],
  ])('is refused at the start with %s', async (_, text) => {
    const reading = readOidcAuthorityTemplate(template(text));
    await expect(reading).rejects.toThrow(InvalidError);
    await expect(reading).rejects.toThrow(
      /^The authority template .* must give an Agent, or a Group of application and user\. \S/,
    );
  });

  it.each([
    ['is missing', {}],
    ['is empty', { nick: '' }],
    ['is an object', { nick: {} }],
  ])('refuses a token of which a claim %s', async (_, more) => {
    const file = template('{"account": {"homePage": "{{iss}}", "name": "{{nick}}"}}');
    const authorityOf = await readOidcAuthorityTemplate(file);
    expect(() => authorityOf({ ...claims, ...more })).toThrow(UnauthenticatedError);
  });

  it('refuses a token whose claims give no authority', async () => {
    const authorityOf = await readOidcAuthorityTemplate(template('{"mbox": "mailto:{{email}}"}'));
    expect(() => authorityOf({ ...claims, email: 'nobody' })).toThrow(
      /^The claims of the token give no authority: authority\.mbox must be/,
    );
  });
});
