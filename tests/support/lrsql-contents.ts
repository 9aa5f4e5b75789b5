import { createHash, randomUUID } from 'node:crypto';
import { type LrsqlFixture, squuid } from './lrsql-database.ts';
import { agent, statement, voiding } from './statements.ts';

/* What the tests store in a database of lrsql, as lrsql writes it. */

/** Of the password `admin`, made by the library that lrsql uses. */
const passhash =
  'bcrypt+sha512$86186fc28f83b3e3db78bcf8350a3a57$12$8f215420e68fd7922561167b07354f05d8db6d49e212689e';
const start = Date.parse('2024-05-06T07:08:09.100Z');
export const account = randomUUID();
export const credential = randomUUID();
export const authority = {
  objectType: 'Agent' as const,
  account: { homePage: 'http://example.org', name: credential },
};
export const content = Buffer.from('a photo');
export const sha2 = createHash('sha256').update(content).digest('hex');
export const ids = Array.from({ length: 5 }, () => randomUUID());

/** As lrsql writes them: `stored` with nine digits, two with one time. */
const statements = [
  statement({ id: ids[0] ?? '' }),
  statement({ id: ids[1] ?? '', actor: agent('voided') }),
  voiding(ids[1] ?? '', { id: ids[2] ?? '' }),
  statement({
    id: ids[3] ?? '',
    attachments: [
      {
        ...{ usageType: 'https://example.org/photo', display: { en: 'Photo' } },
        ...{ contentType: 'text/plain', length: content.length, sha2 },
      },
    ],
  }),
  statement({ id: ids[4] ?? '', version: '2.0.0' }),
].map((each, index) => {
  const stored = new Date(start + Math.max(0, index - 1)).toISOString().replace('Z', '000000Z');
  return { version: '1.0.0', ...each, timestamp: stored, stored, authority };
});

/** Fills an empty database with statements, an attachment, documents, accounts, a key pair and reactions. */
export async function fillLrsql({ insert }: LrsqlFixture): Promise<void> {
  for (const [index, each] of statements.entries()) {
    await insert('xapi_statement', {
      id: squuid(start + index),
      statement_id: each.id ?? '',
      verb_iri: each.verb.id,
      is_voided: index === 1,
      payload: JSON.stringify(each),
    });
  }
  await insert('attachment', {
    ...{ id: squuid(start), statement_id: ids[3] ?? '', attachment_sha: sha2 },
    ...{ content_type: 'text/plain', content_length: content.length, contents: content },
  });
  const document = {
    ...{ last_modified: new Date('2024-01-02T03:04:05.678Z'), content_type: 'application/json' },
    ...{ content_length: 7, contents: Buffer.from('{"a":1}') },
  };
  const activity_iri = 'https://example.org/a';
  await insert('state_document', {
    ...{ id: squuid(1), state_id: 'bookmark', activity_iri, registration: ids[0] ?? '' },
    ...{ agent_ifi: 'account::ann@mail.example@https://home.example/@x', ...document },
  });
  await insert('agent_profile_document', {
    id: squuid(2),
    profile_id: 'p',
    agent_ifi: 'mbox::mailto:ann@Example.org',
    ...document,
  });
  await insert('activity_profile_document', { id: squuid(3), profile_id: 'p', activity_iri, ...document });
  await insert('admin_account', { id: account, username: 'operator', passhash });
  await insert('admin_account', {
    id: randomUUID(),
    username: 'from-oidc',
    oidc_issuer: 'https://issuer.example',
  });
  const pair = { api_key: 'the-api-key', secret_key: 'the-secret-key' };
  await insert('lrs_credential', { id: credential, ...pair, account_id: account, label: 'platform' });
  for (const scope of ['statements/read/mine', 'define', 'statements/write']) {
    await insert('credential_to_scope', { id: randomUUID(), ...pair, scope });
  }
  const ruleset = {
    identityPaths: [['actor', 'mbox']],
    conditions: { a: { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/verbs/did' } },
    template: { actor: agent('lrs'), verb: { id: 'https://example.org/v' }, object: { id: activity_iri } },
  };
  const times = { created: new Date(start), modified: new Date(start) };
  await insert('reaction', {
    id: randomUUID(),
    title: 'Kept',
    ruleset: JSON.stringify(ruleset),
    ...times,
    active: true,
  });
  await insert('reaction', { id: randomUUID(), title: 'Deleted', ruleset: '{}', ...times, active: null });
}
