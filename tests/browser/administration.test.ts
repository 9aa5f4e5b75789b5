import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { firstAccount } from '../support/entrance.ts';
import { becomeDarkPhone } from '../support/page-state.ts';

interface Account {
  readonly 'account-id': string;
  readonly username: string;
}

describeInBrowser('accounts, audit trail and settings', (stage) => {
  const { username: firstName, password } = firstAccount;
  const row = (name: string | RegExp) => stage.page.getByRole('row', { name });
  const dialog = () => stage.page.getByRole('dialog');
  const button = (name: string) => stage.page.getByRole('button', { name, exact: true });
  /** Labels of fields that are required end with an asterisk. */
  const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}( \\*)?$`));
  const rule = (text: string) => dialog().getByRole('listitem').filter({ hasText: text });
  const phoneInTheDark = async () => {
    await becomeDarkPhone(stage.page);
    await stage.expectAccessible();
  };

  const accounts = () => stage.admin<readonly Account[]>('GET', '/admin/account');
  const names = async () => (await accounts()).map(({ username }) => username).toSorted();
  const made = (username: string) =>
    stage.admin<Account>('POST', '/admin/account/create', { username, password });
  const gone = (account: Account) =>
    stage.admin('DELETE', '/admin/account', { 'account-id': account['account-id'] });

  async function signInAs(username: string, withPassword = password): Promise<void> {
    await stage.open('/accounts');
    await stage.page.getByLabel('User name').fill(username);
    await stage.page.locator('input[autocomplete=current-password]').fill(withPassword);
    await button('Sign in').click();
    await row(username).waitFor();
  }

  it('creates an account, with the rules shown as they are met and what the server said at the fields', async () => {
    stage.expectErrors(/status of 40[09]/);
    await stage.signIn('/accounts');
    await row(`${firstName} You`).getByText('The only account cannot be deleted.').waitFor();
    await stage.expectAccessible();
    await button('Create an account').click();
    await field('User name').fill('editor');
    await dialog().getByText('Still missing: At least 7 characters').waitFor();
    await field('Password').fill('abcdefghij');
    await rule('At least 10 characters: met').waitFor();
    await rule('A digit (0-9): not met').waitFor();
    await stage.expectAccessible();
    await button('Create').click();
    await dialog().getByText('must have at least 7 characters').waitFor();
    await dialog().getByText('must contain an upper case letter (A-Z); must contain a digit (0-9)').waitFor();
    await field('User name').fill(firstName);
    await button('Suggest a password').click();
    await dialog().getByText('All rules are met.').last().waitFor();
    await button('Create').click();
    await dialog().getByText('An account with this user name exists already.').waitFor();
    await stage.expectAccessible();
    await field('User name').fill('editor of texts');
    await button('Create').click();
    await row('editor of texts').waitFor();
    expect(await names()).toEqual(['editor of texts', firstName]);
  });

  it('deletes an account after its name was typed, and says what the server said against it', async () => {
    stage.expectErrors(/status of 404/);
    const other = await made('short-lived');
    await stage.signIn('/accounts');
    await button('Delete: short-lived').click();
    await dialog().getByText('its key pairs with it').waitFor();
    await stage.expectAccessible();
    await gone({ ...other, username: 'short-lived' });
    await field('Type short-lived to confirm').fill('short-lived');
    await button('Delete').click();
    await dialog().getByText('There is no such account.').waitFor();
    await button('Cancel').click();
    await made('short-lived');
    await stage.page.reload();
    await button('Delete: short-lived').click();
    await expect.poll(() => button('Delete').isDisabled()).toBe(true);
    await field('Type short-lived to confirm').fill('short-lived');
    await button('Delete').click();
    await row('short-lived').waitFor({ state: 'detached' });
    expect(await names()).not.toContain('short-lived');
    await phoneInTheDark();
  });

  it('changes the own password, tells a wrong old one, and deletes the own account', async () => {
    stage.expectErrors(/status of 40[01]/);
    await made('leaving soon');
    await signInAs('leaving soon');
    await button('Change your password').click();
    await field('Old password').fill('Wr0ng-password');
    await field('New password').fill('Fr3sh-password');
    await stage.expectAccessible();
    await button('Change the password').click();
    await dialog().getByText('The old password is wrong.').waitFor();
    await field('Old password').fill(password);
    await field('New password').fill(password);
    await rule('Not the old password: not met').waitFor();
    await button('Change the password').click();
    await dialog().getByText('must differ from the old password').waitFor();
    await field('New password').fill('Fr3sh-password');
    await button('Change the password').click();
    await stage.page.getByText('Your password is changed.').waitFor();
    await button('Delete: leaving soon').click();
    await dialog().getByText('This is your own account.').waitFor();
    await field('Type leaving soon to confirm').fill('leaving soon');
    await button('Delete').click();
    await stage.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await names()).not.toContain('leaving soon');
  });

  it('sets the password of another account, and not of the own one', async () => {
    stage.expectErrors(/status of 400/);
    await made('forgetful one');
    await stage.signIn('/accounts');
    expect(await button(`Set a password: ${firstName}`).count()).toBe(0);
    await button('Set a password: forgetful one').click();
    await dialog().getByText('It is signed out everywhere').waitFor();
    await field('New password').fill('short');
    await stage.expectAccessible();
    await button('Set the password').click();
    await dialog().getByText('must have at least 10 characters').waitFor();
    await field('New password').fill('Fr3sh-password');
    await button('Set the password').click();
    await stage.page.getByText('The account forgetful one has the new password.').waitFor();
    const login = { username: 'forgetful one', password: 'Fr3sh-password' };
    expect(await stage.admin('POST', '/admin/account/login', login)).toHaveProperty('json-web-token');
  });

  it('explains where passwords have no use', async () => {
    let more: Readonly<Record<string, unknown>> = {};
    await stage.page.route('**/admin/env', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...more } });
    });
    await stage.signIn('/accounts');
    more = { oidc: { authority: stage.server.url, client_id: 'screen' }, 'oidc-enable-local-admin': false };
    await stage.page.reload();
    await stage.page.getByText('People sign in at the OpenID provider.').waitFor();
    await row(firstName).waitFor();
    expect(await button('Create an account').count()).toBe(0);
    expect(await button('Change your password').count()).toBe(0);
    more = { ...more, 'oidc-enable-local-admin': true };
    await stage.page.reload();
    await button('Create an account').waitFor();
  });

  it('lists who did what, page by page', async () => {
    // Pages of ten, so that a few events fill some.
    await stage.page.route('**/admin/audit?limit=100*', (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=10') }),
    );
    await made('seen in the trail');
    for (let times = 0; times < 12; times++) await stage.admin('POST', '/admin/creds', { scopes: [] });
    await stage.signIn('/audit');
    await stage.page.getByText('10 entries are shown.').waitFor();
    await row(new RegExp(`${firstName} Create a key pair POST /admin/creds .* 127.0.0.1 Done · 200`))
      .first()
      .waitFor();
    expect(await row(/Create an account/).count()).toBe(0);
    await phoneInTheDark();
    await button('Show older entries').click();
    await row(/Create an account POST .admin.account.create [-0-9a-f]{36} username: seen in the trail 127/)
      .first()
      .waitFor();
    await stage.page.getByText('20 entries are shown.').waitFor();
    const cells = stage.page.getByRole('time');
    await expect.poll(() => cells.count()).toBe(20);
    const times = await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('datetime')));
    expect(times).toEqual(times.toSorted().toReversed());
    await stage.admin('PUT', '/admin/creds', {}).catch(() => {});
    await button('Refresh').click();
    await row(/Change a key pair PUT .* Refused · 400/).waitFor();
    await stage.page.getByRole('combobox', { name: 'Kind' }).click();
    await stage.page.getByRole('option', { name: 'Disclosures' }).click();
    await row(/Change a key pair/).waitFor({ state: 'detached' });
    await row(/List the key pairs/)
      .first()
      .waitFor();
  });

  it('shows what runs and how it is set up, without secrets', async () => {
    await stage.signIn('/settings');
    const facts = stage.page.getByRole('table', { name: 'Server' });
    await facts.getByText(process.versions.node).waitFor();
    await facts.getByRole('row', { name: /^Database (SQLite|Postgres) \d/ }).waitFor();
    await row(/^It can serve requests Yes/).waitFor();
    await row(/adminPassDefault Set, but secret Set here/).waitFor();
    expect(await stage.page.textContent('main')).not.toContain(password);
    await stage.expectAccessible();
    await stage.page.getByLabel('Search group, key or variable').fill('stmt_get');
    await stage.page.getByText(/^[2-4] of \d+ settings$/).waitFor();
    await row(/lrs\.stmtGetMax 50 Default LRS_STMT_GET_MAX/).waitFor();
    await stage.page.getByLabel('Search group, key or variable').fill('');
    await stage.page.getByRole('switch', { name: 'Only what differs from the default' }).click();
    await expect.poll(() => row(/ Default /).count()).toBe(0);
    await row(/enableAdminDeleteActor true Set here/).waitFor();
    await phoneInTheDark();
  });

  it('says that the server can not serve, and has the description of the interface', async () => {
    stage.expectErrors(/status of 503/);
    await stage.signIn('/settings');
    await row(/^It can serve requests Yes/).waitFor();
    const failure = { error: 'The database does not answer.', code: 'unavailable' };
    await stage.page.route('**/health/ready', (route) => route.fulfill({ status: 503, json: failure }));
    await button('Check again').click();
    await row('It can serve requests No The database does not answer.').waitFor();
    await row(/^The server is up Yes/).waitFor();
    const [file] = await Promise.all([
      stage.page.waitForEvent('download'),
      button('Download openapi.json').click(),
    ]);
    expect(file.suggestedFilename()).toBe('openapi.json');
    await button('Show').click();
    await stage.page
      .getByRole('region', { name: 'Description of the interface' })
      .getByText('"openapi": "3.1')
      .waitFor();
    await stage.expectAccessible();
    await button('Hide').click();
  });
});
