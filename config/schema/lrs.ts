import Joi from 'joi';
import { defaultLimits, leastIdBytes } from '../../lib/documents/types.ts';
import { isIri } from '../../lib/xapi/iri.ts';
import { attachments } from './attachments.ts';
import { retries } from './database.ts';
import { feed } from './feed.ts';
import { flag, integer, list, secret, text } from './kinds.ts';
import { reactions } from './reactions.ts';

interface PageSizes {
  readonly stmtGetMax?: number;
}

const defaultPage = 50;

/** What a request with statements may hold: bounds on the work that one request can cause. */
const statementLimits = {
  stmtMaxCount: integer('Most statements of one POST; beyond it the answer is 413.').min(1).default(2500),
  stmtMaxBytes: integer('Largest JSON text of one statement in bytes; beyond it the answer is 413.')
    .min(1024)
    .default(4_194_304),
  stmtMaxValues: integer(
    'Most JSON values of one statement: its lists, its objects and what is in them. Beyond it the answer is 413.',
  )
    .min(1000)
    .default(50_000),
  stmtMaxEntries: integer(
    'Most entries of one list or object in a statement, such as members of a Group, context activities or languages. Beyond it the answer is 413.',
  )
    .min(100)
    .default(10_000),
  stmtMaxIndexEntries: integer(
    'Most entries of the search index that one POST may add, or remove by voiding statements; a statement has about nine. They are written in one transaction, for which all others wait; beyond it the answer is 413.',
  )
    .min(1000)
    .default(15_000),
  stmtMaxTargetBytes: integer(
    'Most bytes of the stored statements that one POST may refer to or void, if it is more than one; also how many bytes more than the request the stored statements may have that it repeats. Beyond it the answer is 413.',
  )
    .min(1024)
    .default(8_388_608),
};

export const lrs = {
  adminUserDefault: text(
    'Name of the account that is made at the start when the name is free. Goes with `adminPassDefault`.',
    { kind: 'text of at most 255 characters' },
  ).max(255),
  adminPassDefault: secret('Password of that account. Remove both once a permanent account exists.'),
  apiKeyDefault: text(
    'API key of a credential with scope `all` that is made together with that account. Goes with `apiSecretDefault`.',
    { kind: 'text of at most 255 characters without a colon' },
  )
    .max(255)
    .pattern(/^[^:]*$/),
  apiSecretDefault: secret('Secret key of that credential.'),
  credentialKey: secret(
    'Key that protects the secret keys of credentials in the database. Without it a random one is made once and kept in the database. Changing it makes the existing credentials useless.',
  ),
  accountMaxCount: integer(
    'Most administration accounts. Beyond it a new one is refused with 409, and whoever comes with the token of an OpenID provider or proxy and has none yet, with 403; the account `adminUserDefault` is made in any case.',
  )
    .min(1)
    .default(1000),
  accountMaxKeyPairs: integer('Most key pairs of one account; beyond it a new one is refused with 409.')
    .min(1)
    .default(1000),
  stmtGetMax: integer('Most statements on a page; also the page for `limit=0`.').min(1).default(defaultPage),
  stmtGetDefault: integer('Statements on a page when the request has no `limit`.', {
    defaultText: '50, at most stmtGetMax',
  })
    .min(1)
    .max(Joi.ref('stmtGetMax'))
    .default((group: PageSizes) => Math.min(defaultPage, group.stmtGetMax ?? defaultPage)),
  stmtGetMaxBytes: integer('A page of statements ends before it grows larger than this many bytes.')
    .min(1024)
    .default(4_194_304),
  ...statementLimits,
  stmtGetMaxCsv: integer(
    'Most statements of an export as CSV or JSON; -1 or 0 for no limit. An export of everything has all.',
  )
    .min(-1)
    .default(-1),
  documentMaxBytes: integer(
    'Largest document in bytes, also when it has grown by POST; beyond it the answer is 413. `maxBodyBytes` limits what one request sends.',
  )
    .min(1024)
    .default(defaultLimits.maxBytes),
  documentMaxMembers: integer(
    'Most properties of a JSON document that is sent by POST or has grown by it; beyond it the answer is 413.',
  )
    .min(1)
    .default(defaultLimits.maxMembers),
  documentMaxIds: integer(
    'Most documents in one list of ids, which a client gets as a whole; beyond it the answer is 400.',
  )
    .min(1)
    .default(defaultLimits.maxIds),
  documentMaxIdBytes: integer(
    'Most bytes of the ids in one list of documents; beyond it the answer is 400. A list is sorted and hashed in one go, so other requests wait 20 to 40 ms for each MB.',
  )
    .min(leastIdBytes)
    .default(defaultLimits.maxIdBytes),
  authorityTemplate: text(
    'File with the JSON template of the `authority` of statements; `{{authority-url}}`, `{{cred-id}}` and `{{account-id}}` are replaced. Without a setting `config/authority.json.template` is used when it exists, else the built-in form.',
    { defaultText: 'config/authority.json.template' },
  ).default(null),
  authorityUrl: text(
    'Address that identifies this LRS: the home page of the account that statements carry as `authority`.',
    {
      kind: 'an IRI',
    },
  )
    .custom((value: string, helpers) => (isIri(value) ? value : helpers.error('string.iri')))
    .default('http://example.org'),
  oidcAuthorityTemplate: text(
    'File with the JSON template of the `authority` of statements that come with an OpenID token: an Agent, or a Group of application and user; `{{iss}}` and other claims are replaced, and `{{lrsql/resolved-client-id}}`. Without a setting `config/oidc_authority.json.template` is used when it exists, else the built-in form.',
    { defaultText: 'config/oidc_authority.json.template' },
  ).default(null),
  oidcScopePrefix: text('Stands before every scope that an OpenID token is asked for, e.g. `lrs:`.', {
    kind: 'text without spaces',
  })
    .allow('')
    .pattern(/^\S*$/)
    .default(''),
  auditMergeSeconds: integer(
    'How long (s) equal entries of the audit trail share a row, such as the pages of a list that an operator reads or the requests of an upload; 0 for a row each.',
  )
    .min(0)
    .max(86_400)
    .default(900),
  ...attachments,
  ...retries,
  ...feed,
  ...reactions,
  supportedVersions: list(Joi.string().valid('1.0.3', '2.0.0'), 'The xAPI versions that are accepted.')
    .min(1)
    .unique()
    .default(['1.0.3', '2.0.0']),
  readOnly: flag(
    'Refuse everything that would change what is stored, with 503 and `Retry-After`, so that clients try again; reactions wait meanwhile. Logins and logouts work.',
  ).default(false),
  enableStrictVersion: flag(
    'Show statements of xAPI 2.0 to clients that ask for version 1.0.x as statements of 1.0.3: without `contextAgents` and `contextGroups`, with a `T` in timestamps, and with the version `1.0.0`.',
  ).default(false),
};
