import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { requestsOf } from '../support/page-state.ts';
import { newStatement } from '../support/statement-client.ts';

/** Lets no request of the page through, as when the server is stopped. @returns what starts it again. */
async function withoutServer({ context }: Stage): Promise<() => Promise<void>> {
  const everything = '**/*';
  await context.route(everything, (route) => route.abort('connectionrefused'));
  return () => context.unroute(everything);
}

describeInBrowser('the connection of the screen', (stage) => {
  const alerts = () => stage.page.getByRole('alert');
  const refresh = () => stage.page.getByRole('button', { name: 'Refresh', exact: true });

  it('is told at once when the device is offline, and the page continues when it is back', async () => {
    stage.expectErrors(/ERR_INTERNET_DISCONNECTED/);
    await stage.xapi('POST', '/xapi/statements', [newStatement()]);
    await stage.signIn('/statements');
    await stage.page.getByRole('table', { name: 'Statements' }).waitFor();
    await stage.context.setOffline(true);
    const notice = alerts().filter({ hasText: 'This device is offline' });
    await notice.waitFor();
    await stage.expectAccessible();
    await refresh().click();
    await notice.getByText('Last attempt').waitFor();
    await expect.poll(() => refresh().getAttribute('aria-busy')).toBe('false');
    expect(await alerts().count()).toBe(1);
    await stage.context.setOffline(false);
    await notice.waitFor({ state: 'detached' });
    await stage.page.getByRole('table', { name: 'Statements' }).waitFor();
  });

  it('is told once while the server is down, whatever the page reads, and mends itself', async () => {
    stage.expectErrors(/ERR_CONNECTION_REFUSED/);
    const { clock } = stage.context;
    await clock.install();
    const requestsAnswered = requestsOf(stage.page);
    await stage.signIn('/?range=week');
    await stage.page.getByRole('group', { name: 'Statements' }).waitFor();
    const start = await withoutServer(stage);
    await refresh().click();
    await alerts().getByText('The server cannot be reached').waitFor();
    await expect.poll(() => refresh().getAttribute('aria-busy')).toBe('false');
    expect(await alerts().count()).toBe(1);
    await stage.expectAccessible();
    await stage.page.getByRole('link', { name: 'Agents' }).click();
    await stage.page.getByRole('group', { name: 'Statements' }).waitFor({ state: 'detached' });
    await expect.poll(() => stage.page.getByRole('main').locator('[aria-busy=true]').count()).toBe(0);
    await expect.poll(() => alerts().count()).toBe(1);
    expect(await stage.page.getByRole('main').textContent()).not.toContain('dynamically imported');
    // The page also asks the server again by itself; while its clock stands still, only the button does.
    await clock.pauseAt(Date.now() + 60_000);
    await requestsAnswered();
    await start();
    await alerts().getByRole('button', { name: 'Try now' }).click();
    await clock.resume();
    await stage.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await expect.poll(() => alerts().count()).toBe(0);
  });

  it('says that a refresh is running while the server takes its time', async () => {
    await stage.signIn('/audit');
    await stage.page.getByRole('table', { name: 'Audit trail' }).waitFor();
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await stage.page.route('**/admin/audit?*', async (route) => {
      await held;
      await route.continue();
    });
    await refresh().click();
    await stage.page
      .getByRole('button', { name: 'Refresh', exact: true })
      .and(stage.page.locator('[aria-busy=true]'))
      .waitFor();
    await stage.page.getByText('The server has not answered yet.').waitFor();
    await stage.expectAccessible();
    answer();
    await stage.page.getByText('The server has not answered yet.').waitFor({ state: 'detached' });
    await expect.poll(() => refresh().getAttribute('aria-busy')).toBe('false');
  });

  it('opens a page that was loaded ahead while the server is down', async () => {
    stage.expectErrors(/ERR_CONNECTION_REFUSED/);
    const requestsAnswered = requestsOf(stage.page);
    const loaded = stage.page.waitForResponse(/assets\/agents-.*\.js/);
    await stage.signIn('/settings');
    await loaded;
    // What the script of the page imports is asked for together with it.
    await requestsAnswered();
    await withoutServer(stage);
    await stage.page.getByRole('link', { name: 'Agents' }).click();
    await stage.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  });

  it('is told in words after a sign-out while the server is down', async () => {
    stage.expectErrors(/ERR_CONNECTION_REFUSED|Failed to fetch/);
    await stage.signIn('/settings');
    await stage.page.reload();
    await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const start = await withoutServer(stage);
    await stage.page.getByRole('button', { name: 'Account' }).click();
    await stage.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await stage.page.getByText('The server cannot be reached. Check that it is running').waitFor();
    await stage.expectAccessible();
    await start();
    await stage.page.getByRole('button', { name: 'Try again' }).click();
    await stage.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('offers another try for a page that could not be loaded, and a reload after a new release', async () => {
    stage.expectErrors(/404|ERR_FAILED/);
    const page = stage.page;
    await page.route(/assets\/agents-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    await stage.signIn('/settings');
    await page.getByRole('link', { name: 'Agents' }).click();
    await alerts().getByText('This part of the screen could not be loaded').waitFor();
    await stage.expectAccessible();
    await page.unroute(/assets\/agents-.*\.js/);
    await alerts().getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await page.route(/assets\/accounts-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    const home = `${stage.server.url}/`;
    await page.route(home, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>next' }),
    );
    await page.getByRole('link', { name: 'Accounts' }).click();
    await alerts().getByText('A new version of this screen is installed').waitFor();
    await stage.expectAccessible();
    await page.unroute(home);
    await page.unroute(/assets\/accounts-.*\.js/);
    await alerts().getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });
});
