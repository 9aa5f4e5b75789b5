import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { becomeDarkPhone, expectWidth } from '../support/page-state.ts';
import { statement } from '../support/statements.ts';

describeInBrowser('the export', (stage) => {
  /** Stores so many statements of a new Verb. @returns the address of the screen that exports them. */
  const prepare = async (count: number): Promise<string> => {
    const verb = { id: `https://example.org/verbs/${crypto.randomUUID()}`, display: { en: 'did, "it"' } };
    const result = { score: { raw: 7 }, extensions: { 'https://example.org/x': 'extra' } };
    const batch = Array.from({ length: count }, (_, at) =>
      statement({ verb, ...(at % 2 === 0 && { result, timestamp: '2026-01-01T00:00:00Z' }) }),
    );
    await stage.xapi('POST', '/xapi/statements', batch);
    return `/export?${new URLSearchParams({ verb: verb.id })}`;
  };
  const columns = (page: Page) =>
    page.getByRole('region', { name: /^Columns of the export/ }).getByRole('listitem');
  const preview = (page: Page) => page.getByRole('table', { name: 'The first ten rows' });
  /** What the Blob way saves: the dialog of the system can't be operated. */
  const withoutDialog = (page: Page) => page.addInitScript('delete window.showSaveFilePicker');

  /** The exports that the audit trail has, newest first. */
  const exports = async () => {
    const { events } = await stage.admin<{ events: readonly { action: string; counts?: object }[] }>(
      'GET',
      '/admin/audit?kind=disclosure',
    );
    const all = events.map(({ action, counts }) => ({ action, counts }));
    return all.filter(({ action }) => action.startsWith('GET /admin/csv'));
  };

  it('shows the first ten rows with the usual columns, and saves all', async () => {
    const address = await prepare(12);
    const { page } = stage;
    await withoutDialog(page);
    await stage.signIn(address);
    await preview(page).waitFor();
    await expect.poll(() => preview(page).getByRole('row').count()).toBe(11);
    await preview(page).getByRole('columnheader', { name: 'verb_id' }).waitFor();
    await preview(page).getByRole('cell', { name: 'did, "it"' }).first().waitFor();
    await expect.poll(exports).toEqual([{ action: 'GET /admin/csv (preview)', counts: { rows: 10 } }]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^statements-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect([lines.length, lines[0]]).toEqual([14, expect.stringMatching(/^id,stored,timestamp,/)]);
    await page.getByText(/The export is complete: 12 rows, [\d.]+ kB/).waitFor();
    await expect
      .poll(async () => (await exports())[0])
      .toEqual({ action: 'GET /admin/csv', counts: { rows: 12 } });
    await stage.expectAccessible();
  });

  it('adds columns from the data and by path, moves and removes them, and keeps them under a name', async () => {
    const { page } = stage;
    await withoutDialog(page);
    await stage.signIn(await prepare(2));
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('Add at least one column.').waitFor();
    const search = page.getByRole('textbox', { name: 'Search, or type a path' });
    await search.fill('id');
    await page.getByRole('button', { name: 'Add id', exact: true }).click();
    await search.fill('score.raw');
    await page.getByRole('row', { name: /result\.score\.raw.*50%/s }).waitFor();
    await page.getByRole('button', { name: 'Add result.score.raw' }).click();
    await search.fill('result.extensions["https://example.org/x"]');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Move result.score.raw up' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => columns(page).allInnerTexts())
      .toEqual(['result.score.raw', 'id', 'result.extensions["https://example.org/x"]']);
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'Move result.score.raw up' }))
      .waitFor();
    await page.getByText('result.score.raw is column 1 now.').waitFor();
    const last = 'result_extensions_https://example.org/x';
    await preview(page).getByRole('columnheader', { name: last }).waitFor();
    const heads = () => preview(page).getByRole('columnheader').allInnerTexts();
    await expect.poll(heads).toEqual(['result_score_raw', 'id', last]);
    await expect.poll(() => preview(page).getByRole('row').nth(2).innerText()).toMatch(/^7\s.*extra$/s);
    await stage.expectAccessible();
    await page.getByRole('textbox', { name: 'Save these columns as' }).fill('Scores');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.reload();
    await page.getByRole('combobox', { name: 'Saved columns' }).click();
    await page.getByRole('option', { name: 'Scores' }).click();
    await expect.poll(() => columns(page).count()).toBe(3);
    await becomeDarkPhone(page);
    await stage.expectAccessible();
    await expectWidth(page, 360);
    await page.getByRole('button', { name: 'Delete “Scores”' }).click();
    await page.getByPlaceholder('None saved yet').waitFor();
  });

  it('adds columns with all languages, and tells beforehand how many statements there are', async () => {
    const { page } = stage;
    await withoutDialog(page);
    await stage.signIn(await prepare(12));
    await page.getByText(/^Expected: 12 statements, about [\d.]+ kB\.$/).waitFor();
    await page.getByRole('checkbox', { name: 'Add columns with all languages' }).check();
    await preview(page).getByRole('columnheader', { name: 'verb_display_map' }).waitFor();
    await preview(page).getByRole('cell', { name: '{"en":"did, \\"it\\""}' }).first().waitFor();
    await stage.expectAccessible();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const [header] = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
    expect(header).toMatch(/,verb_display_map,object_definition_name_map$/);
  });

  it('saves statements as JSON, and everything, chosen with the keyboard', async () => {
    const { page } = stage;
    await withoutDialog(page);
    await stage.signIn(await prepare(3));
    await page.getByRole('radio', { name: 'CSV', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('region', { name: 'The first ten statements' })
      .getByText('"actor"')
      .first()
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('checkbox', { name: 'Compress with gzip' }).uncheck();
    await stage.expectAccessible();
    const array = await saved(page, 'Download JSON');
    expect(array.name).toMatch(/^statements-\d{4}-\d\d-\d\d\.json$/);
    expect(JSON.parse(array.content.toString())).toHaveLength(3);
    await page.getByText(/The export is complete: 3 rows, [\d.]+ kB/).waitFor();
    await page.getByRole('radio', { name: 'Everything' }).check();
    await page.getByRole('checkbox', { name: 'Compress with gzip' }).check();
    await page.getByText(/Attachments and documents come in addition\.$/).waitFor();
    await becomeDarkPhone(page);
    await stage.expectAccessible();
    await expectWidth(page, 360);
    const everything = await saved(page, 'Download everything');
    expect(everything.name).toMatch(/^lrs-.*\.ndjson\.gz$/);
    expect(gunzipSync(everything.content).toString()).toMatch(/^\{"export":.*\n\{"end":\{.*\}\}\n$/s);
    const { events } = await stage.admin<{ events: readonly { action: string }[] }>(
      'GET',
      '/admin/audit?kind=disclosure',
    );
    expect(events.map(({ action }) => action)).toContain('GET /admin/export (everything)');
  });

  it('has the filter of the address, which can be changed, and a limit', async () => {
    stage.expectErrors(/400/);
    const { page } = stage;
    await stage.signIn(await prepare(5));
    await page.getByRole('button', { name: /^Remove .*Verb/ }).waitFor();
    const limit = page.getByRole('textbox', { name: 'Row limit' });
    await limit.fill('2');
    await limit.press('Enter');
    await expect.poll(() => preview(page).getByRole('row').count()).toBe(3);
    await expect.poll(() => page.url()).toContain('limit=2');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('textbox', { name: 'Registration' }).fill(crypto.randomUUID());
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('There are no statements to export.').waitFor();
    await expect.poll(() => page.url()).toMatch(/verb=.*registration=/);
    await page.getByRole('textbox', { name: 'Registration' }).fill('no uuid');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('must be a UUID').first().waitFor();
    await stage.expectAccessible();
  });

  it('writes to the file that the operator chooses', async () => {
    const { page } = stage;
    await page.addInitScript(
      `window.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`,
    );
    await stage.signIn(await prepare(3));
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('The export is complete: 3 rows').waitFor();
    const written = await page.evaluate(
      `navigator.storage.getDirectory().then(async (folder) => { for await (const [, file] of folder.entries()) return (await file.getFile()).text(); })`,
    );
    expect(String(written).split('\r\n')).toHaveLength(5);
  });

  it('lets the browser download by a link that is good once', async () => {
    const { page } = stage;
    await stage.signIn(await prepare(3));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Let the browser download it' }).click();
    const download = await saved;
    expect((await readFile(await download.path(), 'utf8')).split('\r\n')).toHaveLength(5);
    expect(page.url()).not.toContain('token');
    expect((await fetch(download.url())).status).toBe(401);
  });

  it('is cancelled, breaks off, and shows what the server says', async () => {
    stage.expectErrors(/ERR_FAILED|400/);
    const { page } = stage;
    await withoutDialog(page);
    await stage.signIn(await prepare(1));
    await preview(page).waitFor();
    let answer: 'late' | 'none' | 'refusal' = 'late';
    await page.route('**/admin/csv?**', async (route) => {
      if (answer === 'refusal') await route.fulfill({ status: 400, json: tooLarge });
      else if (answer === 'none') await route.abort();
    });
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('progressbar', { name: 'Progress of the export' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The export was cancelled:').waitFor();
    answer = 'none';
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('The export broke off').waitFor();
    answer = 'refusal';
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText(tooLarge.error).waitFor();
    await stage.expectAccessible();
  });
});

async function saved(page: Page, button: string) {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

const tooLarge = {
  error:
    'The answer is larger than the 6000000 bytes that this gateway carries. Narrow the export with since.',
  code: 'invalid',
};
