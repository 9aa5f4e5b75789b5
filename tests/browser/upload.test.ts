import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { becomeDarkPhone, expectWidth } from '../support/page-state.ts';
import { statement } from '../support/statements.ts';
import { testLimit } from '../support/time-limits.ts';

const json = 'application/json';

describeInBrowser('the upload', (stage) => {
  /** Opens the screen and chooses the file, ready to start. */
  const choose = async (file: { name: string; mimeType: string; buffer: Buffer } | string): Promise<Page> => {
    const { page } = stage;
    await stage.keyPair();
    await stage.signIn('/upload');
    await page.locator('input[type=file]').setInputFiles(file);
    return page;
  };
  const start = (page: Page) => page.getByRole('button', { name: 'Start the upload' }).click();
  const complete = (page: Page) => page.getByText('The upload is complete').waitFor({ timeout: testLimit });

  it('stores 5,000 statements of a gzip file of NDJSON, those without an id too', async () => {
    const activity = newActivity();
    const lines = Array.from({ length: 5000 }, () => line(activity));
    const page = await choose({
      name: 'many.ndjson.gz',
      mimeType: 'application/gzip',
      buffer: packed(lines),
    });
    await stage.expectAccessible();
    await start(page);
    await page.getByRole('progressbar', { name: 'Progress of the upload' }).waitFor();
    await complete(page);
    await page.getByText('Statements stored: 5,000. Rejected: 0.').waitFor();
    await expect.poll(() => page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    await stage.expectAccessible();
    expect(await storedOf(stage, activity)).toBe(5000);
    // The same file once more changes nothing.
    await page.getByRole('button', { name: 'Upload another file' }).click();
    await page.locator('input[type=file]').setInputFiles(await kept('many.ndjson.gz', packed(lines)));
    await start(page);
    await complete(page);
    expect(await storedOf(stage, activity)).toBe(5000);
  });

  it('keeps the digits of numbers, and takes a dropped file', async () => {
    const id = crypto.randomUUID();
    const { page } = stage;
    await stage.keyPair();
    await stage.signIn('/upload');
    const text = JSON.stringify(statement({ id, result: { score: { raw: 7 } } })).replace(':7}', ':7.50}');
    const data = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], 'one.json')); return data; })()`,
    );
    await page
      .getByRole('group', { name: 'File of statements' })
      .dispatchEvent('drop', { dataTransfer: data });
    await start(page);
    await complete(page);
    expect(await textOf(stage, id)).toContain('"raw":7.50');
  });

  it('says of a CSV file that nothing of it was stored', async () => {
    stage.expectErrors(/400 \(Bad Request\)/);
    const csv = 'id,actor,verb\n1,mailto:a@example.org,did\n2,mailto:b@example.org,did\n';
    const page = await choose({ name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await start(page);
    await page.getByText('No statement was stored', { exact: true }).waitFor();
    await page.getByText('not, for instance, CSV', { exact: false }).waitFor();
    expect(await page.getByText('The upload is complete').count()).toBe(0);
  });

  it('puts aside what the server refuses and stores the rest', async () => {
    stage.expectErrors(/400 \(Bad Request\)|409 \(Conflict\)/);
    const activity = newActivity();
    const taken = statement({ id: crypto.randomUUID() });
    await stage.xapi('POST', '/xapi/statements', [taken]);
    const good = Array.from({ length: 300 }, () => line(activity));
    const lines = [...good.slice(0, 100), wrongVerb, ...good.slice(100), '{"broken', wrongActor];
    lines.push(JSON.stringify({ ...taken, verb: { id: 'https://example.org/verbs/other' } }));
    const page = await choose({
      name: 'mixed.ndjson',
      mimeType: json,
      buffer: Buffer.from(lines.join('\n')),
    });
    await start(page);
    await page.getByText('Statements stored: 300. Rejected: 4.').waitFor();
    expect(await storedOf(stage, activity)).toBe(300);
    const table = page.getByRole('table', { name: 'Rejected statements: 4' });
    await expect
      .poll(async () => (await table.getByRole('row').allInnerTexts()).slice(1))
      .toEqual([
        expect.stringMatching(/^101\s+101\s.*verb\.id.*xAPI 2\.0\.0/s),
        expect.stringMatching(/^302\s+302\s.*This is not valid JSON/s),
        expect.stringMatching(/^303\s+303\s.*actor\.mbox/s),
        expect.stringMatching(/^304\s+304\s.*is taken by a different statement/s),
      ]);
    await stage.expectAccessible();
    const failed = await downloaded(page, 'Statements (NDJSON)');
    expect(failed.name).toBe('mixed-failed.ndjson');
    expect(failed.text.split('\n')).toHaveLength(5);
    expect(failed.text).toContain('{"broken\n');
    const reasons = await downloaded(page, 'Reasons (CSV)');
    expect(reasons.text).toMatch(/^number,row,line,id,path,message,section\r\n1,101,101,/);
    await becomeDarkPhone(page);
    await stage.expectAccessible();
    await expectWidth(page, 360);
  });

  it('goes on by itself when the network comes back', async () => {
    stage.expectErrors(/ERR_FAILED|503/);
    const activity = newActivity();
    const page = await choose({ name: 'net.json', mimeType: json, buffer: array(activity, 700) });
    let requests = 0;
    let network: 'up' | 'down' | 'busy' = 'up';
    await page.route('**/xapi/statements', async (route) => {
      requests += 1;
      // The second portion arrives, but its answer is lost.
      if (requests === 2) {
        network = 'down';
        await route.fetch();
      }
      if (network === 'down') return route.abort();
      if (network === 'up') return route.continue();
      network = 'up';
      return route.fulfill({ status: 503, headers: { 'Retry-After': '120' }, json: busy });
    });
    await start(page);
    await page.getByText('Waiting for the server').waitFor();
    // The page tries again by itself, and now reaches a server that asks for two minutes.
    network = 'busy';
    await page.getByText(busy.error).waitFor();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Try now' }).click();
    await complete(page);
    await page.getByText('Statements stored: 700. Rejected: 0.').waitFor();
    expect(await storedOf(stage, activity)).toBe(700);
  });

  it('goes on after a reload of the page when the same file is chosen', async () => {
    stage.expectErrors(/ERR_FAILED/);
    const activity = newActivity();
    const file = await kept(`resumed-${crypto.randomUUID()}.json`, array(activity, 700));
    const page = await choose(file);
    let requests = 0;
    let isReloaded = false;
    await page.route('**/xapi/statements', (route) => {
      requests += 1;
      // The page tries again by itself until it is reloaded.
      return requests >= 3 && !isReloaded ? route.abort() : route.continue();
    });
    await start(page);
    await page.getByText('Waiting for the server').waitFor();
    await page.reload();
    await page.getByText('Unfinished uploads').waitFor();
    await stage.expectAccessible();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('This file was sent up to statement 500 before.').waitFor();
    isReloaded = true;
    requests = 0;
    await page.getByRole('button', { name: 'Resume from there' }).click();
    await complete(page);
    expect(requests).toBe(1);
    await page.getByText('Statements stored: 700. Rejected: 0.').waitFor();
    expect(await storedOf(stage, activity)).toBe(700);
  });

  it('stops for a refusal, goes on when told to, pauses and stops', async () => {
    stage.expectErrors(/403 \(Forbidden\)/);
    const page = await choose({ name: 'stop.json', mimeType: json, buffer: array(newActivity(), 600) });
    let requests = 0;
    await page.route('**/xapi/statements', async (route) => {
      requests += 1;
      if (requests === 1)
        return route.fulfill({ status: 403, json: { error: 'Not today.', code: 'forbidden' } });
      if (requests === 2) await page.getByRole('button', { name: 'Pause' }).click();
      return route.continue();
    });
    await start(page);
    await page.getByText('The server said: Not today.').waitFor();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The upload is paused.').waitFor();
    await page.getByRole('button', { name: 'Stop the upload' }).click();
    await page.getByText('The upload was stopped').waitFor();
    await page.getByText('Statements stored: 250. Rejected: 0.').waitFor();
    await stage.expectAccessible();
  });

  it('says so when the chosen key pair may not store statements', async () => {
    await stage.keyPair();
    const label = `reader ${crypto.randomUUID().slice(0, 8)}`;
    await stage.admin('POST', '/admin/creds', { scopes: ['statements/read'], label });
    const page = await choose({ name: 'one.json', mimeType: json, buffer: array(newActivity(), 1) });
    await page.getByRole('combobox', { name: 'Key pair to send with' }).click();
    await page.getByRole('option', { name: label }).click();
    await page.getByText('This key pair may not store statements.').waitFor();
    const begin = page.getByRole('button', { name: 'Start the upload' });
    await expect.poll(() => begin.isDisabled()).toBe(true);
    await stage.expectAccessible();
  });
});

const busy = { error: 'Too many statements are waiting.', code: 'unavailable' };
const wrongVerb = JSON.stringify(statement({ verb: { id: 'no iri' } }));
const wrongActor = JSON.stringify(statement({ actor: { mbox: 'nobody' } }));

function newActivity(): string {
  return `https://example.org/uploaded/${crypto.randomUUID()}`;
}

const line = (activity: string): string =>
  JSON.stringify(statement({ object: { id: activity }, timestamp: '2026-01-01T00:00:00Z' }));

const array = (activity: string, length: number): Buffer =>
  Buffer.from(`[${Array.from({ length }, () => line(activity)).join(',\n')}]`);

const packed = (lines: readonly string[]): Buffer => gzipSync(lines.join('\n'));

/** A file on disk, which stays the same when it is chosen again. */
async function kept(name: string, content: Buffer): Promise<string> {
  const path = join(tmpdir(), name);
  await writeFile(path, content);
  return path;
}

/** How many statements of the activity are stored. */
async function storedOf(stage: Stage, activity: string): Promise<number> {
  let count = 0;
  let path = `/xapi/statements?activity=${encodeURIComponent(activity)}&format=ids&limit=0`;
  while (path !== '') {
    const page = await stage.xapi<{ statements: unknown[]; more?: string }>('GET', path);
    count += page.statements.length;
    path = page.more ?? '';
  }
  return count;
}

async function textOf(stage: Stage, id: string): Promise<string> {
  const { apiKey, secretKey } = await stage.keyPair();
  const response = await fetch(`${stage.server.url}/xapi/statements?statementId=${id}`, {
    headers: {
      authorization: `Basic ${btoa(`${apiKey}:${secretKey}`)}`,
      'x-experience-api-version': '2.0.0',
    },
  });
  return response.text();
}

async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}
