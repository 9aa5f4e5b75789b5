import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { expectWidth } from '../support/page-state.ts';

describeInBrowser('the frame of the screen', (stage) => {
  it('has the sign-in at every address while nobody is signed in', async () => {
    await stage.open('/statements?limit=5');
    await stage.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await stage.expectAccessible();
  });

  it.each(['Light', 'Dark'])('opens every page of the menu, in colours: %s', async (scheme) => {
    await stage.signIn();
    await stage.page.getByRole('button', { name: 'Colours' }).click();
    await stage.page.getByRole('menuitem', { name: scheme }).click();
    await stage.page
      .locator(`html[data-mantine-color-scheme=${scheme.toLowerCase()}]`)
      .waitFor({ state: 'attached' });
    const links = stage.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expect.poll(() => links.count()).toBe(12);
    for (const link of await links.all()) {
      const name = (await link.textContent()) ?? '';
      await link.click();
      await stage.page.getByRole('heading', { level: 1, name }).waitFor();
      await stage.expectAccessible();
    }
  });

  it('moves the focus to the heading of the page that has taken the place of another one', async () => {
    await stage.open('/statements');
    const { page } = stage;
    const expectFocus = (name: string) =>
      page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await stage.signInByForm('/statements');
    await expectFocus('Statements');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expect.poll(() => links.count()).toBe(12);
    for (const link of await links.all()) {
      const name = (await link.textContent()) ?? '';
      await link.focus();
      await page.keyboard.press('Enter');
      await expectFocus(name);
      expect(await page.title()).toMatch(new RegExp(`^${name} `));
    }
    await page.goBack();
    await expectFocus('Audit trail');
    await stage.open('/nowhere');
    await expectFocus('There is no such page');
    await page.reload();
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    // Nobody was on a page before, so the keyboard begins at the top.
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Skip to the content' }).and(page.locator(':focus')).waitFor();
  });

  it('speaks German, and remembers it', async () => {
    await stage.signIn();
    await stage.page.getByRole('button', { name: 'Language' }).click();
    await stage.page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await stage.page.getByRole('link', { name: 'Einstellungen' }).waitFor();
    await stage.page.reload();
    await stage.page.getByRole('link', { name: 'Einstellungen' }).waitFor();
    await expect.poll(() => stage.page.evaluate('document.documentElement.lang')).toBe('de');
  });

  it('signs out everywhere', async () => {
    await stage.signIn();
    const other = await stage.context.newPage();
    await stage.open('/settings', other);
    await other.getByRole('heading', { name: 'Settings' }).waitFor();
    await stage.page.getByRole('button', { name: 'Account' }).click();
    await stage.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await stage.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('has the choice of the key pair in the menu of a phone', async () => {
    await stage.keyPair();
    const reports = { scopes: ['statements/read'], label: 'Reports' };
    const { 'api-key': apiKey } = await stage.admin<Record<'api-key', string>>(
      'POST',
      '/admin/creds',
      reports,
    );
    await stage.signIn('/statements');
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.getByRole('button', { name: 'Menu' }).click();
    await stage.page.getByRole('combobox', { name: 'Key pair for reading' }).click();
    await stage.expectAccessible();
    await stage.page.getByRole('option', { name: 'Reports' }).click();
    const chosen = () => stage.page.evaluate("localStorage.getItem('serverless-lrs.api-key')");
    await expect.poll(chosen).toBe(apiKey);
    await expectWidth(stage.page, 360);
  });

  it('keeps its controls in their place whether a page scrolls or not', async () => {
    const shown = await stage.withScrollbars();
    const control = shown.getByRole('button', { name: 'Account', exact: true, includeHidden: true });
    const scrolls = () => shown.evaluate('document.documentElement.scrollHeight > innerHeight');
    const place = async () => (await control.boundingBox())?.x;
    await shown.setViewportSize({ width: 1280, height: 900 });
    await stage.open('/accounts', shown);
    await shown.getByRole('table', { name: 'Accounts' }).getByRole('cell').first().waitFor();
    await expect.poll(scrolls).toBe(false);
    const x = await place();
    await shown.setViewportSize({ width: 1280, height: 200 });
    await expect.poll(scrolls).toBe(true);
    expect(await place()).toBe(x);
    await shown.getByRole('button', { name: 'Create an account' }).click();
    // Once it has the focus, a dialog has taken everything it takes from the page behind it.
    await shown.getByRole('dialog').locator(':focus').waitFor();
    expect(await place()).toBe(x);
  });

  it('shows nothing of one account to the next, even in a tab that slept while they changed', async () => {
    const next = { username: 'nextadmin', password: 'An0ther_pass!' };
    await stage.admin('POST', '/admin/account/create', next);
    const answer = await stage.admin<Record<string, string>>('POST', '/admin/account/login', next);
    await stage.signIn('/settings');
    const { page } = stage;
    const account = async (name: string) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menu').getByText(name, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
    };
    await account('opsadmin');
    const key = JSON.stringify('serverless-lrs.token');
    const token = JSON.stringify(answer['json-web-token']);
    await page.evaluate(
      `localStorage.setItem(${key}, ${token}); void window.dispatchEvent(new StorageEvent('storage', { key: ${key} }))`,
    );
    await account('nextadmin');
  });
});
