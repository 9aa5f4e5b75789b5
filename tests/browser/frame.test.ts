import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the frame of the screen', (stage) => {
  it('has the sign-in at every address while nobody is signed in', async () => {
    await stage.open('/statements?limit=5');
    await stage.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await stage.expectAccessible();
  });

  it.each(['Light', 'Dark'])(
    'opens every page of the menu, in colours: %s',
    async (scheme) => {
      await stage.signIn();
      await stage.page.getByRole('button', { name: 'Colours' }).click();
      await stage.page.getByRole('menuitem', { name: scheme }).click();
      const links = stage.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      expect(await links.count()).toBe(12);
      for (const link of await links.all()) {
        const name = (await link.textContent()) ?? '';
        await link.click();
        await stage.page.getByRole('heading', { level: 1, name }).waitFor();
        await stage.expectAccessible();
      }
    },
    60_000,
  );

  it('speaks German, and remembers it', async () => {
    await stage.signIn();
    await stage.page.getByRole('button', { name: 'Language' }).click();
    await stage.page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await stage.page.getByRole('link', { name: 'Einstellungen' }).waitFor();
    await stage.page.reload();
    await stage.page.getByRole('link', { name: 'Einstellungen' }).waitFor();
    expect(await stage.page.evaluate('document.documentElement.lang')).toBe('de');
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
