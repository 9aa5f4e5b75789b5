import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { copiedBy, expectWidth } from '../support/page-state.ts';
import { newIri, newStatement } from '../support/statement-client.ts';

/** Statements of a Verb that no others have, oldest first. */
async function sent(
  stage: Stage,
  count: number,
  more: object = {},
): Promise<{ ids: string[]; verb: string }> {
  const verb = newIri('verbs');
  const statements = Array.from({ length: count }, (_, n) =>
    newStatement({ verb: { id: verb, display: { en: `did-${n}`, de: `tat-${n}` } }, ...more }),
  );
  return { ids: await stage.xapi('POST', '/xapi/statements', statements), verb };
}

/** Sends a body as it is. */
async function sendRaw(stage: Stage, contentType: string, body: string | Buffer): Promise<void> {
  const { apiKey, secretKey } = await stage.keyPair();
  const response = await fetch(`${stage.server.url}/xapi/statements`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${apiKey}:${secretKey}`)}`,
      'x-experience-api-version': '2.0.0',
      'content-type': contentType,
    },
    body,
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

const rows = ({ page }: Stage): Locator =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('link') });

/** Whether no transition goes on in the page; what turns for ever, such as a sign of waiting, does not count. */
const isStill = `document.getAnimations().every((each) =>
  each.playState !== 'running' || each.effect?.getComputedTiming().iterations === Infinity)`;

const addressOf = ({ page }: Stage) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]);

const addressWith = (stage: Stage, name: string, value: string) =>
  expect.poll(() => addressOf(stage).get(name)).toBe(value);

const expectRows = (stage: Stage, count: number) => expect.poll(() => rows(stage).count()).toBe(count);

const dialog = ({ page }: Stage) => page.getByRole('dialog', { name: 'Statement' });

describeInBrowser('the statements', (stage) => {
  it('are chosen by fields with suggestions; the address holds the query and the way back', async () => {
    const { verb } = await sent(stage, 2);
    const account = { homePage: 'https://lms.example.org', name: 'zoe' };
    const actor = { name: 'Zoe', account };
    await sent(stage, 1, { verb: { id: verb }, actor });
    await stage.signIn('/statements');
    const { page } = stage;
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Verb' }).fill(verb);
    await page.getByRole('button', { name: 'Search' }).click();
    await addressWith(stage, 'verb', verb);
    await expectRows(stage, 3);
    await page.getByRole('combobox', { name: 'Mail address' }).fill('zoe');
    await page.getByRole('option', { name: 'Zoe' }).click();
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'In one language' }).click();
    await page.getByRole('textbox', { name: 'Stored after' }).fill('2020-01-02T03:04:05');
    await page.getByRole('checkbox', { name: 'The Agent in any role' }).check();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Search' }).click();
    await expectRows(stage, 1);
    const { agent = '', ...others } = Object.fromEntries(addressOf(stage));
    expect(JSON.parse(agent)).toEqual({ account });
    expect(others).toEqual({
      verb,
      format: 'canonical',
      since: '2020-01-02T03:04:05.000Z',
      related_agents: 'true',
    });
    await page.goBack();
    await expectRows(stage, 3);
    await page.goForward();
    await page.reload();
    await expectRows(stage, 1);
    await page.getByRole('button', { name: /Remove the filter Agent: zoe/ }).click();
    await expectRows(stage, 3);
  });

  it('are chosen by JSON, and what the server refuses stands at its field', async () => {
    const { verb } = await sent(stage, 2);
    await stage.signIn('/statements?since=yesterday');
    const { page } = stage;
    await page
      .locator('[aria-invalid=true]')
      .and(page.getByRole('textbox', { name: 'Stored after' }))
      .waitFor();
    await page.getByText('must be a timestamp', { exact: false }).first().waitFor();
    await stage.expectAccessible();
    await page.getByRole('radiogroup').getByText('JSON').click();
    const query = page.getByRole('textbox', { name: 'Query as JSON' });
    await expect.poll(() => query.inputValue()).toContain('"since": "yesterday"');
    await query.fill('[]');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('This is not a JSON object.').waitFor();
    await query.fill(
      JSON.stringify({ verb, agent: { mbox: 'mailto:ann@example.org' }, ascending: true, limit: 1 }),
    );
    await page.getByRole('button', { name: 'Search' }).click();
    await expectRows(stage, 1);
    await page.getByRole('cell', { name: 'did-0' }).waitFor();
    await addressWith(stage, 'agent', '{"mbox":"mailto:ann@example.org"}');
    stage.expectErrors(/400/);
  });

  it('are searched with what is no mail address, and the error quotes what was typed', async () => {
    stage.expectErrors(/400/);
    await stage.signIn('/statements');
    const { page } = stage;
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Mail address' }).fill('ann.example');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('not the string "ann.example"').first().waitFor();
    expect(await page.getByText('mailto:ann.example').count()).toBe(0);
    const typed = page.getByRole('combobox', { name: 'Mail address' });
    await expect.poll(() => typed.inputValue()).toBe('ann.example');
  });

  it('have no paging and no word of filters where there is nothing to page and none is set', async () => {
    const { verb } = await sent(stage, 2);
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    const { page } = stage;
    await expectRows(stage, 2);
    expect(await page.getByRole('navigation', { name: 'Paging' }).count()).toBe(0);
    await stage.open(`/statements?${new URLSearchParams({ verb: newIri('verbs') })}`);
    await page.getByText('No statement matches the filters.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Paging' }).count()).toBe(0);
    expect(await page.getByText('On a row:').count()).toBe(0);
    await page.route('**/xapi/statements?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { statements: [], more: '' } });
    });
    await stage.open('/statements?limit=10');
    await page.getByText('There are no statements yet.').waitFor();
    await stage.open('/agents?search=nobody-has-this-name');
    await page.getByText('No entry matches the search “nobody-has-this-name”.').waitFor();
    await stage.open('/documents?kind=state');
    await page.getByText('No entry matches the filters.').waitFor();
    await stage.open('/documents');
    await page.getByText('There are no documents yet.').waitFor();
  });

  it('are paged by keys and buttons, with the way back', async () => {
    const { verb } = await sent(stage, 5);
    await stage.signIn(`/statements?${new URLSearchParams({ verb, limit: '2' })}`);
    const { page } = stage;
    await page.getByRole('cell', { name: 'did-4' }).waitFor();
    await rows(stage).getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('cell', { name: 'did-2' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Page 2' }).waitFor();
    const firstHasFocus = 'document.activeElement?.matches("tbody tr:first-child a")';
    await expect.poll(() => page.evaluate(firstHasFocus)).toBe(true);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('cell', { name: 'did-0' }).waitFor();
    const next = page.getByRole('button', { name: 'Next page' });
    await expect.poll(() => next.getAttribute('title')).toBe('This is the last page.');
    await expectRows(stage, 1);
    await stage.expectAccessible();
    await page.reload();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByRole('cell', { name: 'did-2' }).waitFor();
    await page.goBack();
    await page.getByRole('cell', { name: 'did-0' }).waitFor();
    await rows(stage).getByRole('link').first().press('Enter');
    await dialog(stage).getByText('did-0').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByRole('cell', { name: 'did-4' }).waitFor();
  });

  it('are shown as a card in the operator’s language, as a tree and as the exact text', async () => {
    const verb = newIri('verbs');
    const text = JSON.stringify(
      newStatement({
        verb: { id: verb, display: { en: 'passed', de: 'bestand' } },
        result: {
          score: { raw: 'RAW' },
          duration: 'PT1H30M',
          extensions: { 'https://example.org/e': [1, {}] },
        },
      }),
    ).replace('"RAW"', '17.50');
    await sendRaw(stage, 'application/json', text);
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    const { page } = stage;
    await rows(stage).getByRole('link').click();
    const card = dialog(stage).getByRole('table', { name: 'Card' });
    await card.getByRole('row', { name: /^Score 17.5 \(raw 17.50\)/ }).waitFor();
    await card.getByRole('row', { name: 'Duration 1 hr 30 min' }).waitFor();
    await stage.expectAccessible();
    await page.getByRole('tab', { name: 'Tree' }).click();
    await page.getByRole('group', { name: 'Tree' }).getByText('17.50').waitFor();
    await stage.expectAccessible();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('region', { name: 'JSON' }).getByText('"raw": 17.50').waitFor();
    await stage.expectAccessible();
    const copied = await copiedBy(page.getByRole('button', { name: 'Copy the JSON as the server sent it' }));
    expect(copied).toContain('"score":{"raw":17.50}');
    expect(JSON.parse(copied)).toMatchObject(JSON.parse(text));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('cell', { name: 'bestand' }).waitFor();
  });

  it('are voided after a question that shows the Actor, and found again as voided ones', async () => {
    const { ids, verb } = await sent(stage, 1);
    const [id = ''] = ids;
    await stage.signIn(`/statements?${new URLSearchParams({ verb, show: id })}`);
    const { page } = stage;
    await dialog(stage).getByRole('button', { name: 'Void' }).click();
    const question = page.getByRole('dialog', { name: 'Void this statement?' });
    const account = question.getByRole('combobox', { name: 'Account name' });
    await expect.poll(() => account.inputValue()).not.toBe('');
    await stage.expectAccessible();
    const missed: string[] = [];
    page.on('response', (response) => response.status() === 404 && missed.push(response.url()));
    const readAgain = page.waitForResponse((response) => response.url().includes('voidedStatementId='));
    await question.getByRole('button', { name: 'Void' }).click();
    await dialog(stage).getByText('This statement is voided.', { exact: false }).waitFor();
    await readAgain;
    expect(missed).toEqual([]);
    const { events } = await stage.admin<{ events: readonly object[] }>(
      'GET',
      '/admin/audit?kind=change&limit=1',
    );
    expect(events).toMatchObject([{ action: 'POST /xapi/statements (void)', subject: id, outcome: 'done' }]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('radiogroup').getByText('One statement').click();
    await page.getByRole('textbox', { name: 'Statement id' }).fill(id);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Look among the voided statements' }).click();
    await addressWith(stage, 'voidedStatementId', id);
    await page.getByRole('cell', { name: 'did-0' }).waitFor();
    // The voiding statement leads to it.
    const voided = 'http://adlnet.gov/expapi/verbs/voided';
    await stage.open(`/statements?${new URLSearchParams({ verb: voided, limit: '1' })}`);
    await page.getByRole('cell', { name: `Statement ${id}` }).waitFor();
    await rows(stage).getByRole('link').click();
    await dialog(stage)
      .getByRole('link', { name: `Statement ${id}` })
      .click();
    await dialog(stage).getByText('This statement is voided.', { exact: false }).waitFor();
    await page.goBack();
    await dialog(stage)
      .getByRole('link', { name: `Statement ${id}` })
      .waitFor();
    stage.expectErrors(/404/);
  });

  it('are not offered for voiding with a key pair that may not write', async () => {
    const { ids, verb } = await sent(stage, 1);
    const { 'api-key': apiKey } = await stage.admin<Record<'api-key', string>>('POST', '/admin/creds', {
      scopes: ['statements/read'],
      label: 'only reads',
    });
    await stage.signIn('/settings');
    const { page } = stage;
    await page.evaluate(`localStorage.setItem('serverless-lrs.api-key', ${JSON.stringify(apiKey)})`);
    await stage.open(`/statements?${new URLSearchParams({ verb, show: String(ids[0]) })}`);
    await page.reload();
    await dialog(stage).getByText('The chosen key pair may not void statements.', { exact: false }).waitFor();
    expect(await dialog(stage).getByRole('button', { name: 'Void' }).count()).toBe(0);
    await stage.expectAccessible();
  });

  it('stay open when the question over them is left by a key', async () => {
    const { verb } = await sent(stage, 1);
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    await rows(stage).getByRole('link').click();
    const voiding = dialog(stage).getByRole('button', { name: 'Void' });
    await voiding.click();
    const question = stage.page.getByRole('dialog').filter({ has: stage.page.getByRole('group') });
    await question.getByRole('combobox').last().waitFor();
    await stage.page.keyboard.press('Escape');
    await expect.poll(() => question.count()).toBe(0);
    await dialog(stage).waitFor();
    expect(addressOf(stage).get('show')).not.toBeNull();
    await dialog(stage).locator(':focus').and(voiding).waitFor();
  });

  it('have their attachments listed and downloadable', async () => {
    const content = Buffer.from('first\r\n--line\r\n\0\xff', 'latin1');
    const kinds = {
      usageType: 'https://example.org/usage',
      contentType: 'text/plain',
      length: content.length,
    };
    const sha2 = createHash('sha256').update(content).digest('hex');
    const elsewhere = {
      ...kinds,
      display: { en: 'Elsewhere' },
      sha2: createHash('sha256').update('other').digest('hex'),
      fileUrl: 'https://files.example.org/other.txt',
    };
    const statement = newStatement({
      attachments: [{ ...kinds, display: { en: 'My notes' }, sha2 }, elsewhere],
    });
    const form = [
      `--edge\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(statement)}`,
      `\r\n--edge\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${sha2}\r\n\r\n`,
    ];
    const body = Buffer.concat([Buffer.from(form.join('')), content, Buffer.from('\r\n--edge--\r\n')]);
    await sendRaw(stage, 'multipart/mixed; boundary=edge', body);
    await stage.signIn(`/statements?show=${statement.id}`);
    const { page } = stage;
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download My notes' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('My notes.txt');
    expect(await readFile(await download.path())).toEqual(content);
    const link = page.getByRole('link', { name: `Elsewhere: ${elsewhere.fileUrl}` });
    await expect.poll(() => link.getAttribute('href')).toBe(elsewhere.fileUrl);
    await page.getByRole('button', { name: 'Download Elsewhere' }).click();
    await page.getByText('The store does not hold the data of this attachment.').waitFor();
    await stage.expectAccessible();
  });

  it('are followed while they come in, until somebody pauses or reads', async () => {
    const { verb } = await sent(stage, 1);
    const add = (name: string) => sent(stage, 1, { verb: { id: verb, display: { en: name } } });
    await stage.signIn(`/statements?${new URLSearchParams({ verb, ascending: 'true' })}`);
    const { page } = stage;
    await page.getByRole('button', { name: 'Live' }).click();
    await addressWith(stage, 'live', 'true');
    await expect.poll(() => addressOf(stage).get('ascending')).toBe(null);
    await page.getByText('Live. 0 new statements so far.').waitFor();
    await add('first');
    await page.getByText('Live. 1 new statement so far.').waitFor();
    await page.getByRole('cell', { name: 'first' }).waitFor();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await add('second');
    await page.getByText('Paused. 1 new statement is hidden.').waitFor();
    expect(await page.getByRole('cell', { name: 'second' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('cell', { name: 'second' }).waitFor();
    await page.getByText('second', { exact: true }).dblclick({ position: { x: 10, y: 8 } });
    await page.getByText('Paused. 0 new statements are hidden.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Paused.').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 360, height: 300 });
    await page.mouse.move(180, 150);
    // The wheel turns nothing until the page has been painted in its new size.
    const turned = async () => {
      await page.mouse.wheel(0, 200);
      return page.getByText('Paused. 0 new statements are hidden.').count();
    };
    await expect.poll(turned).toBe(1);
  });

  it('fit a phone and the dark', async () => {
    const { ids, verb } = await sent(stage, 30);
    await stage.signIn(`/statements?${new URLSearchParams({ verb, limit: '20' })}`);
    const { page } = stage;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 360, height: 740 });
    await rows(stage).first().waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    // Halfway through a transition, colours are neither the old nor the new ones.
    await expect.poll(() => page.evaluate(isStill)).toBe(true);
    await stage.expectAccessible();
    await expectWidth(page, 360);
    await stage.open(`/statements?show=${ids[0]}`);
    await dialog(stage).getByRole('table', { name: 'Card' }).waitFor();
    await expect.poll(() => page.evaluate(isStill)).toBe(true);
    await stage.expectAccessible();
    await expectWidth(page, 360);
  });

  it('are shown whatever somebody has put into them', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`https://example.org/${n}`, n]),
    );
    const fileUrl = 'javascript:document.body.remove()';
    const attachment = {
      usageType: newIri('usage'),
      display: { en: '<img src=x onerror=alert(1)>' },
      contentType: 'text/html',
      length: 1,
      sha2: 'a'.repeat(64),
      fileUrl,
    };
    const { verb } = await sent(stage, 1, {
      timestamp: '2016-12-31T23:59:60Z',
      result: { response: '\n'.repeat(100_000), extensions: many },
      attachments: [attachment],
    });
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    await rows(stage).getByRole('link').click();
    const { page } = stage;
    await dialog(stage).getByText('1 Jan 2017, 00:00:00').waitFor();
    await dialog(stage).getByText(`(${fileUrl})`).or(dialog(stage).getByText(fileUrl)).waitFor();
    expect(await dialog(stage).getByRole('link', { name: fileUrl }).count()).toBe(0);
    const entries = dialog(stage).getByText(/^https:\/\/example\.org\/\d+/);
    const more = page.getByRole('button', { name: 'Show more (9900 are left)' });
    await more.waitFor();
    const before = await entries.count();
    expect(before).toBeLessThan(1000);
    await more.click();
    await expect.poll(() => entries.count()).toBeGreaterThan(before);
    await stage.expectAccessible();
  });

  it('are searched with what is no Agent, and the server says so', async () => {
    stage.expectErrors(/400/);
    await stage.signIn(`/statements?${new URLSearchParams({ agent: '{"mbox":5}' })}`);
    await stage.page.getByRole('button', { name: 'Remove the filter Agent: {"mbox":5}' }).waitFor();
    await stage.page.getByRole('textbox', { name: 'JSON' }).waitFor();
  });
});
