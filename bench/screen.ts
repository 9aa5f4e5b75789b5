import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startBuiltServer } from '../scripts/built-server.ts';
import { createScratchDatabase, isEngine } from '../scripts/scratch-database.ts';
import { pages, screenSettings, tokenOf } from '../scripts/screens.ts';
import { Workload } from './workload.ts';

/**
 * How long an operator waits for each page of the web screen over a large store: from the request for the page until its
 * heading stands, nothing is busy any more and no request is under way; with nothing in the browser's cache, and once more.
 */

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    statements: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '5' },
  },
});

/** Milliseconds. The network counts as idle when nothing has been asked for so long. */
const quiet = 100;

/** Milliseconds for the first visit of a browser, and for the next one, when it has the files of the screen. */
interface Times {
  readonly first: number;
  readonly again: number;
}

async function openingTimes(browser: Browser, url: string, token: string, address: string): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const stored = `localStorage.setItem('serverless-lrs.token', ${JSON.stringify(token)})`;
  await context.addInitScript(stored);
  const first = await openingTime(await context.newPage(), `${url}/#${address}`);
  const again = await openingTime(await context.newPage(), `${url}/#${address}`);
  await context.close();
  return { first, again };
}

async function openingTime(page: Page, address: string): Promise<number> {
  const lastEnd = watchRequests(page);
  const start = performance.now();
  await page.goto(address);
  await page.locator('h1').waitFor();
  for (;;) {
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    const { pending, ended } = lastEnd();
    if (pending === 0 && performance.now() - ended >= quiet) break;
    await page.waitForTimeout(10);
  }
  const { ended } = lastEnd();
  await page.close();
  return ended - start;
}

/** How many requests are under way, and when the last one has ended. */
function watchRequests(page: Page): () => { readonly pending: number; readonly ended: number } {
  let pending = 0;
  let ended = performance.now();
  const end = (): void => {
    pending -= 1;
    ended = performance.now();
  };
  page.on('request', () => {
    pending += 1;
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => ({ pending, ended });
}

function medianAndSlowest(times: readonly number[]): [median: number, slowest: number] {
  const sorted = times.toSorted((a, b) => a - b);
  return [sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
}

if (!isEngine(options.engine)) throw new Error(`There is no engine ${options.engine}.`);
const database = await createScratchDatabase(options.engine);
const server = await startBuiltServer({ ...database.settings, ...screenSettings });
const browser = await chromium.launch({
  executablePath: process.env.LRS_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const workload = new Workload({ ...server, endpoint: `${server.url}/xapi` }, server.pid);
  await workload.growTo(Number(options.statements));
  const token = await tokenOf(server);
  console.log('| Page | First visit: median (ms) | slowest | Again: median (ms) | slowest |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [name, address] of Object.entries(pages)) {
    const times: Times[] = [];
    for (let n = 0; n < Number(options.times); n += 1) {
      times.push(await openingTimes(browser, server.url, token, address));
    }
    const cells = [times.map(({ first }) => first), times.map(({ again }) => again)].flatMap(
      medianAndSlowest,
    );
    console.log(`| ${name} | ${cells.map((time) => Math.round(time)).join(' | ')} |`);
  }
} finally {
  await browser.close();
  await server.stop();
  await database.drop();
}
