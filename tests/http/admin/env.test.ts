import { afterEach, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectJson } from '../../support/admin-client.ts';
import { firstAccount } from '../../support/entrance.ts';
import { parsed } from '../../support/lrs-client.ts';

/* The titles are the sentences of the service specification. */

describe.each(administrations)('GET /admin/env, on $name', ({ open, shared }) => {
  let lrs: Administration;
  afterEach(() => lrs?.close());

  it('Selected configuration values useful to clients. No JWT needed.', async () => {
    lrs = await open();
    expectJson(await lrs.call('GET', '/admin/env'), {
      'jwt-refresh-interval': 3540,
      'jwt-interaction-window': 600,
      'url-prefix': '/xapi',
      'proxy-path': null,
      'enable-admin-delete-actor': false,
      'enable-admin-status': true,
      'enable-reactions': false,
      'enable-stores': false,
      'no-val?': false,
      'admin-language-code': 'en-US',
      'custom-language': {},
      'stmt-get-max': 50,
      'auth-by-cred-id': false,
      'supported-versions': ['1.0.3', '2.0.0'],
      'reaction-version': '1.0.3',
    });
  });

  it('says that nobody can log in yet, as long as there is no account', async () => {
    const nobody = { LRS_ADMIN_USER_DEFAULT: '', LRS_ADMIN_PASS_DEFAULT: '' };
    lrs = await open(nobody);
    for (const _ of ['first', 'again']) {
      expect(parsed(await lrs.call('GET', '/admin/env'))).toMatchObject({ 'no-accounts': true });
    }
    if (!shared) return;
    const { username, password } = firstAccount;
    await lrs.elsewhere({ LRS_ADMIN_USER_DEFAULT: username, LRS_ADMIN_PASS_DEFAULT: password });
    expect(parsed(await lrs.call('GET', '/admin/env'))).not.toHaveProperty('no-accounts');
  });

  it('says what the configuration says', async () => {
    lrs = await open({
      LRS_JWT_EXP_TIME: '600',
      LRS_PROXY_PATH: '/lrs',
      LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
      LRS_ENABLE_ADMIN_STATUS: 'false',
      LRS_ADMIN_LANGUAGE: 'de-DE',
      LRS_STMT_GET_MAX: '10',
      LRS_SUPPORTED_VERSIONS: '2.0.0',
    });
    expect(parsed(await lrs.call('GET', '/admin/env'))).toMatchObject({
      'jwt-refresh-interval': 590,
      'jwt-interaction-window': 590,
      'proxy-path': '/lrs',
      'enable-admin-delete-actor': true,
      'enable-admin-status': false,
      'admin-language-code': 'de-DE',
      'stmt-get-max': 10,
      'supported-versions': ['2.0.0'],
    });
  });
});
