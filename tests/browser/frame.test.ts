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

  it('has the choice of the key pair in the menu of a phone', async () => {
    const { apiKey } = await stage.keyPair();
    await stage.admin('POST', '/admin/creds', { scopes: ['statements/read'], label: 'Reports' });
    await stage.signIn('/statements');
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.getByRole('button', { name: 'Menu' }).click();
    await stage.page.getByRole('combobox', { name: 'Key pair for reading' }).click();
    await stage.expectAccessible();
    await stage.page.getByRole('option', { name: 'Reports' }).click();
    const chosen = () => stage.page.evaluate("localStorage.getItem('serverless-lrs.api-key')");
    await expect.poll(chosen).not.toBeNull();
    expect(await chosen()).not.toBe(apiKey);
    expect(await stage.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it('keeps its controls in their place whether a page scrolls or not', async () => {
    const shown = await stage.withScrollbars();
    const place = async (address: string, height: number) => {
      await stage.open(address, shown);
      await shown.setViewportSize({ width: 1280, height });
      await shown.getByRole('button', { name: 'Account', exact: true }).waitFor();
      const [scrolls, box] = await Promise.all([
        shown.evaluate('document.documentElement.scrollHeight > innerHeight'),
        shown.getByRole('button', { name: 'Account', exact: true }).boundingBox(),
      ]);
      return { scrolls, x: box?.x };
    };
    const tall = await place('/accounts', 900);
    const low = await place('/accounts', 200);
    expect([tall.scrolls, low.scrolls]).toEqual([false, true]);
    expect(low.x).toBe(tall.x);
    await shown.getByRole('button', { name: 'Create an account' }).click();
    await shown.getByRole('dialog').waitFor();
    const { x } =
      (await shown
        .getByRole('button', { name: 'Account', exact: true, includeHidden: true })
        .boundingBox()) ?? {};
    expect(x).toBe(tall.x);
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
