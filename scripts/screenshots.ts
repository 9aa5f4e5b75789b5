import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { loadDemonstration } from './demonstration.ts';
import { createReactions, waitForReactions } from './demonstration-reactions.ts';
import { pages, screenSettings, tokenOf } from './screens.ts';

/**
 * `npm run screenshots`: every page of the built screen over invented data, light and dark, on a desktop and a phone, into
 * docs/screenshots/. Needs Chromium (or LRS_TEST_CHROMIUM).
 */

const folder = join(import.meta.dirname, '../docs/screenshots');

const viewports = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } };
/** On a desktop the preview of the editor is below the JSON. */
const tallPages: Readonly<Record<string, number>> = { 'reaction-editor': 1200 };

/** Shoots the sign-in, then all pages with the token that the browser keeps. */
async function shoot(browser: Browser, { url }: BuiltServer, token: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, viewport] of Object.entries(viewports)) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const take = async (name: string, address: string): Promise<void> => {
        const height = device === 'desktop' ? tallPages[name] : undefined;
        await page.setViewportSize({ ...viewport, ...(height !== undefined && { height }) });
        await page.goto(`${url}/#${address}`);
        await page.locator('h1').waitFor();
        await page.waitForLoadState('networkidle');
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${device}.png`) });
      };
      await take('sign-in', '/');
      await page.evaluate(`localStorage.setItem('serverless-lrs.token', ${JSON.stringify(token)})`);
      await page.reload();
      for (const [name, address] of Object.entries({ ...pages, stores: '/stores' }))
        await take(name, address);
      await context.close();
    }
  }
}

/** Stores in different states. */
async function createStores({ url }: BuiltServer, token: string): Promise<void> {
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  };
  for (const [name, state] of [
    ['acme', 'open'],
    ['globex', 'read-only'],
    ['initech', 'closed'],
  ] as const) {
    const account = { username: `operator-of-${name}`, password: 'Tr1cky_pass!' };
    await call('POST', '/admin/stores', { name, account });
    await call('PUT', `/admin/stores/${name}`, { state });
  }
}

const server = await startBuiltServer({
  LRS_DB_NAME: 'data/lrs.sqlite',
  ...screenSettings,
  LRS_ENABLE_STORES: 'true',
});
const browser = await chromium.launch({
  executablePath: process.env.LRS_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const token = await tokenOf(server);
  await createReactions(server, token);
  await loadDemonstration(server);
  await waitForReactions(server, token);
  await createStores(server, token);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await shoot(browser, server, token);
} finally {
  await browser.close();
  await server.stop();
}
