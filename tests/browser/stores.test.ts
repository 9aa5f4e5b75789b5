import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { expectWidth } from '../support/page-state.ts';

const password = 'Tr1cky_pass!';

describeInBrowser(
  'stores on the screen',
  (stage) => {
    it('begin empty, and one is made with its first account', async () => {
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByText('There is no other store yet.').waitFor();
      await page.getByRole('button', { name: 'Create a store' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('acme');
      await dialog.getByLabel('User name').fill('operator of acme');
      await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await stage.expectAccessible();
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('The store acme is created.').waitFor();
      await page.getByRole('row', { name: /acme.*Open.*main/ }).waitFor();
      await stage.expectAccessible();
    });

    it('say what is wrong with a name', async () => {
      stage.expectErrors(/400/);
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Create a store' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('No name');
      await dialog.getByLabel('User name').fill('operator of acme');
      await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.getByText(/small letters, digits and hyphens, and no hyphen/).waitFor();
    });

    it('have a screen of their own, where somebody else signs in', async () => {
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('link', { name: 'acme' }).click();
      await page.getByLabel('User name').fill('operator of acme');
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Key pairs' }).waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/stores/acme/');
      await expect.poll(() => page.getByRole('link', { name: 'Stores' }).count()).toBe(0);
      const keys = await page.evaluate<string[]>('Object.keys(localStorage)');
      expect(keys).toEqual(
        expect.arrayContaining(['serverless-lrs.token', 'serverless-lrs./stores/acme/.token']),
      );
    });

    it('are saved as a file', async () => {
      await stage.signIn('/stores');
      const { page } = stage;
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export: acme' }).click();
      const file = await saving;
      expect(file.suggestedFilename()).toMatch(/^acme-.*\.ndjson\.gz$/);
      expect(gunzipSync(readFileSync(await file.path())).toString()).toContain('operator of acme');
    });

    it('are closed, and deleted when the name is typed', async () => {
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Close: acme' }).click();
      await page.getByRole('row', { name: /acme.*Closed/ }).waitFor();
      await page.getByRole('button', { name: 'Delete: acme' }).click();
      const dialog = page.getByRole('dialog');
      await stage.expectAccessible();
      await dialog.getByRole('textbox').fill('acme');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('There is no other store yet.').waitFor();
    });

    it('are only taken off the list when that is chosen', async () => {
      const store = { name: 'lost', account: { username: 'operator of lost', password } };
      await stage.admin('POST', '/admin/stores', store);
      await stage.admin('PUT', '/admin/stores/lost', { state: 'closed' });
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Delete: lost' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Only take it off the list').check();
      await stage.expectAccessible();
      await dialog.getByRole('textbox').fill('lost');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('There is no other store yet.').waitFor();
      // Its database is still there.
      await expect(stage.admin('POST', '/admin/stores', store)).rejects.toThrow('which is not empty');
    });

    it('fit a phone', async () => {
      await stage.admin('POST', '/admin/stores', {
        name: 'globex',
        account: { username: 'operator of globex', password },
      });
      await stage.page.setViewportSize({ width: 360, height: 740 });
      await stage.signIn('/stores');
      await stage.page.getByRole('link', { name: 'globex' }).waitFor();
      await expectWidth(stage.page, 360);
      await stage.expectAccessible();
    });
  },
  { LRS_ENABLE_STORES: 'true' },
);
