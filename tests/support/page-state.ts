import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** The page has no more than the width of its window: nothing scrolls sideways. A chart takes its width a frame later. */
export async function expectWidth(page: Page, width: number): Promise<void> {
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
}

/** The table of a page does not scroll sideways, and no text in it is cut. */
export async function expectWholeTable(page: Page): Promise<void> {
  const isCut = 'each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== "visible"';
  const cut = () =>
    page.evaluate(
      `[...document.querySelectorAll('main :has(> table), main table *')].filter((each) => ${isCut}).map((each) => each.textContent)`,
    );
  await expect.poll(cut).toEqual([]);
}

/** Chooses German, as somebody who reads English. */
export async function speakGerman(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
}

/** Shows an open page as a phone in the dark does; the colours follow the preference a moment later. */
export async function becomeDarkPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
}

/** Clicks a button that copies. @returns the text; it is in the clipboard some time after the click. */
export async function copiedBy(button: Locator): Promise<string> {
  const page = button.page();
  await page.evaluate("navigator.clipboard.writeText('')");
  await button.click();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await expect.poll(copied).not.toBe('');
  return copied();
}

/** Follows the requests of a page from now on. @returns what waits until all that it has sent are answered. */
export function requestsOf(page: Page): () => Promise<void> {
  const running = new Set<Request>();
  page.on('request', (request) => running.add(request));
  page.on('requestfinished', (request) => running.delete(request));
  page.on('requestfailed', (request) => running.delete(request));
  // What a page fetches without reading it to its end never finishes.
  page.on('response', (response) => {
    if (response.request().resourceType() === 'fetch') running.delete(response.request());
  });
  return async () => {
    // Requests are reported in their order: after this one, those before it are known.
    await Promise.all([
      page.waitForRequest(/\/health\?last$/),
      page.evaluate("fetch('health?last').then(() => {}, () => {})"),
    ]);
    await expect.poll(() => [...running].map((request) => request.url())).toEqual([]);
  };
}
