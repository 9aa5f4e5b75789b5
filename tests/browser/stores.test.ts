import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { stores } from '../../ui/src/texts/de/stores.ts';
import { describeInBrowser } from '../support/browser.ts';
import { expectWholeTable, expectWidth, speakGerman } from '../support/page-state.ts';

const password = 'Tr1cky_pass!';
const listAddress = '**/admin/stores?*';

/** Shows all stores on the page as if they had these members. */
async function listWith(page: Page, members: object): Promise<void> {
  await page.route(listAddress, async (route) => {
    const response = await route.fetch();
    const list = await response.json();
    const stores = list.stores.map((store: object) => ({ ...store, ...members }));
    await route.fulfill({ response, json: { ...list, stores } });
  });
}

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
      await page.getByText('acme · Learning Record Store').waitFor();
      await expect.poll(() => page.title()).toBe('Sign in · acme · Learning Record Store');
      await stage.expectAccessible();
      await page.getByLabel('User name').fill('operator of acme');
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Key pairs' }).waitFor();
      await page.getByRole('banner').getByText('acme · Learning Record Store').waitFor();
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

    it('have settings of their own, when they are made and later', async () => {
      stage.expectErrors(/400/);
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Settings: acme' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Authority URL').fill('https://acme.example.org');
      await dialog.getByLabel('Statements on a page if the request has no limit').fill('10');
      await dialog.getByLabel('Most statements on a page').fill('5');
      await stage.expectAccessible();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('must be at most stmtGetMax').waitFor();
      await dialog.getByLabel('Statements on a page if the request has no limit').fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The settings of acme are saved.').waitFor();
      expect(await stage.admin('GET', '/admin/stores/acme')).toMatchObject({
        settings: { authorityUrl: 'https://acme.example.org', stmtGetMax: 5 },
      });
    });

    it('are made on the database server that is chosen, and say why that fails', async () => {
      stage.expectErrors(/503/);
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Create a store' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('globex');
      await dialog.getByRole('combobox', { name: 'Database server' }).click();
      await page.getByRole('option', { name: 'second' }).click();
      await dialog.getByLabel('User name').fill('operator of globex');
      await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.getByText(/The store globex can't be made: .* check the server second/).waitFor();
    });

    it('show why one of them can not be used', async () => {
      const problem = { text: 'No Postgres answers at db2:5432.', since: '2026-11-25T09:30:00.000Z' };
      await listWith(stage.page, { problem });
      await stage.signIn('/stores');
      await stage.page
        .getByRole('row', { name: /acme.*can’t be used.*No Postgres answers at db2:5432/ })
        .waitFor();
      await stage.expectAccessible();
      await stage.page.unroute(listAddress);
    });

    it.each([
      ['missing', /Bring its database back, then open it/, ['Open', 'Settings', 'Delete']],
      ['moving', /close it; it stays where it was/, ['Open', 'Make read-only', 'Close', 'Settings']],
      ['creating', /delete it, then create it again/, ['Delete']],
      ['deleting', /delete it again/, ['Delete']],
    ] as const)('in the state %s say what to do, and offer nothing else', async (state, remedy, actions) => {
      await listWith(stage.page, { state });
      await stage.signIn('/stores');
      const row = stage.page.getByRole('row', { name: /acme/ });
      await row.getByText(remedy).waitFor();
      expect(await row.getByRole('button').allTextContents()).toEqual(actions);
      await stage.expectAccessible();
      await stage.page.unroute(listAddress);
    });

    it('show each state in whole, in a table that fits a small laptop, in German', async () => {
      const { page } = stage;
      await page.setViewportSize({ width: 1000, height: 700 });
      await stage.signIn('/stores');
      await speakGerman(page);
      const problem = { text: 'No Postgres answers at db2:5432.', since: '2026-11-25T09:30:00.000Z' };
      for (const [state, shown] of Object.entries(stores.states)) {
        await listWith(page, { state, server: 'rechenzentrum-nord', problem });
        await page.reload();
        await page.getByRole('row', { name: shown }).waitFor();
        await expectWholeTable(page);
        await page.unroute(listAddress);
      }
    });

    it('are made read-only, and opened again, in words and after a question', async () => {
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Make read-only: acme' }).click();
      const dialog = page.getByRole('dialog', { name: 'Make this store read-only?' });
      await stage.expectAccessible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('row', { name: /acme.*Open/ }).waitFor();
      await page.getByText('Make read-only', { exact: true }).click();
      await dialog.getByText('Every change is refused').waitFor();
      await dialog.getByRole('button', { name: 'Make read-only' }).click();
      await page.getByRole('row', { name: /acme.*Read-only/ }).waitFor();
      await page.getByRole('button', { name: 'Open: acme' }).click();
      await page.getByText('The store acme is open.').waitFor();
    });

    it('are closed after a question, and deleted when the name is typed', async () => {
      await stage.signIn('/stores');
      const { page } = stage;
      await page.getByRole('button', { name: 'Close: acme' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
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
  {
    LRS_ENABLE_STORES: 'true',
    // Nothing answers there.
    LRS_STORES_SERVERS: 'second=postgresql://lrs@127.0.0.1:1/lrs',
  },
);
