import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { firstAccount, type ServerEntrance, serverEntrance } from '../support/entrance.ts';

/* A token lives for an hour; the clocks are those of the browser, so nobody waits for it. */

describeInBrowser('the session of the screen', (stage) => {
  it('begins with a sign-in that loads no more than 250 kB', async () => {
    await stage.open('/');
    await stage.page.getByRole('button', { name: 'Sign in' }).waitFor();
    const loaded = await stage.page.evaluate<number[]>(
      "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind)).map((entry) => entry.encodedBodySize)",
    );
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(250_000);
  });

  it('says what the server says to a wrong password, and when to try again after too many', async () => {
    await stage.open('/');
    stage.expectErrors(/status of 4(01|29)/);
    await fill(stage.page, { username: 'somebody', password: 'Wr0ng-again!' });
    await stage.page.getByRole('textbox', { name: 'Password' }).press('Tab');
    await stage.page.keyboard.press('Enter');
    const password = stage.page.getByRole('textbox', { name: 'Password' });
    await expect.poll(() => password.getAttribute('type')).toBe('text');
    const submit = stage.page.getByRole('button', { name: 'Sign in' });
    const alert = stage.page.getByRole('alert');
    await submit.click();
    await alert.getByText('Sign-in failed', { exact: true }).waitFor();
    await alert.getByText('User name or password is wrong.', { exact: true }).waitFor();
    await stage.expectAccessible();
    const body = { username: 'somebody', password: 'Wr0ng-again!' };
    const answered = async () => {
      await useUpAttempts(stage.server, body);
      const [answer] = await Promise.all([
        stage.page.waitForResponse((response) => response.url().endsWith('/admin/account/login')),
        submit.click(),
      ]);
      return answer.status();
    };
    // Where the request comes late, the next attempt is free again.
    await expect.poll(answered).toBe(429);
    await alert.getByText(/Try again in (1 second|\d+ seconds)\./).waitFor();
  });

  it('is renewed silently while somebody is active in any tab, by one tab, and after a reload', async () => {
    await stage.context.clock.install();
    const renewals = countRenewals(stage);
    await stage.signInByForm('/settings');
    const other = await stage.context.newPage();
    await stage.open('/accounts', other);
    await other.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await stage.page.reload();
    await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    for (const hour of [1, 2]) {
      const before = await tokenOf(stage.page);
      await stage.context.clock.fastForward('50:00');
      await other.keyboard.press('Shift');
      expect(renewals()).toBe(hour - 1);
      await stage.context.clock.fastForward('07:00');
      await expect.poll(() => tokenOf(stage.page)).not.toBe(before);
      await expect.poll(renewals).toBe(hour);
    }
    await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await stage.page.getByRole('dialog').count()).toBe(0);
  });

  it('warns who has not done anything for a while, in every tab, and goes on if he wants', async () => {
    await stage.context.clock.install();
    await stage.signInByForm('/settings');
    const other = await stage.context.newPage();
    await stage.open('/accounts', other);
    await other.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await stage.context.clock.fastForward('58:05');
    const dialog = stage.page.getByRole('dialog', { name: 'Your session is about to end' });
    await dialog
      .getByRole('timer')
      .getByText(/Time left: [01]:\d\d/)
      .waitFor();
    const elsewhere = other.getByRole('dialog', { name: 'Your session is about to end' });
    await elsewhere.waitFor();
    await stage.expectAccessible();
    await dialog.getByRole('button', { name: 'Stay signed in' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await elsewhere.waitFor({ state: 'detached' });
    await stage.context.clock.fastForward('30:00');
    await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('ends for who does not answer, and he comes back to the same address', async () => {
    await stage.context.clock.install();
    await stage.signInByForm('/statements?limit=5');
    await stage.context.clock.fastForward('01:00:01');
    await stage.page.getByText('The session has ended. Sign in again.').waitFor();
    await stage.expectAccessible();
    await fill(stage.page, firstAccount);
    await stage.page.getByRole('button', { name: 'Sign in' }).click();
    await stage.page.getByRole('heading', { level: 1, name: 'Statements' }).waitFor();
    await expect.poll(() => new URL(stage.page.url()).hash).toBe('#/statements?limit=5');
  });

  it('survives a network that is away', async () => {
    await stage.context.clock.install();
    await stage.signInByForm('/settings');
    await stage.page.route('**/admin/account/renew', (route) => route.abort());
    stage.expectErrors(/ERR_FAILED/);
    const tried = stage.page.waitForEvent('requestfailed');
    await stage.context.clock.fastForward('50:00');
    await stage.page.keyboard.press('Shift');
    await stage.context.clock.fastForward('07:00');
    await tried;
    await stage.context.clock.fastForward('01:05');
    const dialog = stage.page.getByRole('dialog', { name: 'Your session is about to end' });
    const stay = dialog.getByRole('button', { name: 'Stay signed in' }).last();
    await stay.click();
    await dialog.getByText('The server does not answer.').waitFor();
    await stage.page.unroute('**/admin/account/renew');
    await stay.click();
    await dialog.waitFor({ state: 'detached' });
    await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  it('explains how the first account is made where there is none', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'first-run-'));
    const database = { LRS_DB_NAME: join(directory, 'lrs.db') };
    const server = await serverEntrance('http', { ...database, ...nobody });
    stage.expectErrors(asksOther(server));
    await stage.page.goto(server.url);
    await stage.page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    const command = stage.page.getByRole('region', { name: 'Command that starts the server' });
    await expect
      .poll(() => command.textContent())
      .toMatch(/^LRS_ADMIN_USER_DEFAULT=\w{7,} LRS_ADMIN_PASS_DEFAULT='[^']{10,}' npm start$/);
    await stage.expectAccessible();
    const again = stage.page.getByRole('button', { name: 'Look again' });
    await again.click();
    await stage.page.getByText('There is still no account.').waitFor();
    const next = await serverEntrance('http', database);
    await again.click();
    await stage.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await stage.page.goto('about:blank');
    for (const each of [server, next]) await each.close();
    rmSync(directory, { recursive: true });
  });

  it('is the one of the proxy where that signs people in', async () => {
    const server = await serverEntrance('http', { LRS_DB_NAME: ':memory:', ...behindProxy });
    stage.expectErrors(asksOther(server));
    stage.expectErrors(/status of 401/);
    let role = 'reader';
    await stage.page.route('**/admin/**', (route) => {
      const token = jwt.sign({ name: 'ann', iss: 'sso', role }, randomBytes(32));
      return route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } });
    });
    await stage.page.goto(`${server.url}/#/settings`);
    await stage.page.getByText(/The server said: The token does not name a user/).waitFor();
    await stage.expectAccessible();
    role = 'admin';
    await stage.page.getByRole('button', { name: 'Look again' }).click();
    await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await stage.page.getByRole('button', { name: 'Account' }).click();
    await stage.page.getByText('ann', { exact: true }).waitFor();
    await stage.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await stage.page.waitForURL(/\/health$/);
    await stage.page.goto('about:blank');
    await server.close();
  });
});

const nobody = { LRS_ADMIN_USER_DEFAULT: '', LRS_ADMIN_PASS_DEFAULT: '' };

const behindProxy = {
  LRS_JWT_NO_VAL: 'true',
  LRS_JWT_NO_VAL_UNAME: 'name',
  LRS_JWT_NO_VAL_ISSUER: 'iss',
  LRS_JWT_NO_VAL_ROLE_KEY: 'role',
  LRS_JWT_NO_VAL_ROLE: 'admin',
  LRS_JWT_NO_VAL_LOGOUT_URL: '/health',
};

const asksOther = ({ url }: ServerEntrance): RegExp => new RegExp(`^asked another host: ${url}/`);

async function fill(page: Page, account: typeof firstAccount): Promise<void> {
  await page.getByLabel('User name').fill(account.username);
  await page.locator('input[autocomplete=current-password]').fill(account.password);
}

/** Tries at once as often as is permitted and more: one after another, a slow machine never has too many. */
async function useUpAttempts(server: ServerEntrance, body: object): Promise<void> {
  const some = () => Promise.all(Array.from({ length: 12 }, () => tryToLogIn(server, body)));
  while (!(await some()).includes(429));
}

/** @returns the status of the answer. */
async function tryToLogIn(server: ServerEntrance, body: object): Promise<number> {
  const { status } = await server.send({
    method: 'POST',
    path: '/admin/account/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return status;
}

const tokenOf = (page: Page): Promise<unknown> => page.evaluate("localStorage['serverless-lrs.token']");

/** @returns how often any tab has asked for a renewal. */
function countRenewals({ context }: Stage): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/admin/account/renew')) count++;
  });
  return () => count;
}
