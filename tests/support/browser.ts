import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished } from 'vitest';
import { engines } from './engines.ts';
import { firstAccount, type ServerEntrance, serverEntrance } from './entrance.ts';
import { databaseSettings } from './server-process.ts';
import { conditionLimit } from './time-limits.ts';

/** The screen in a real browser, over a server of its own. Each test has a fresh page; the server is the file's. */
export interface Stage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly server: ServerEntrance;
  /** Opens the address of a screen, such as `/statements?limit=5`, whoever is signed in. */
  open(address: string, page?: Page): Promise<void>;
  /** Opens the screen as the first account, with a token, which takes less time than the form. The session is not renewed. */
  signIn(address?: string): Promise<void>;
  /** The same with the form. */
  signInByForm(address?: string): Promise<void>;
  /** Calls the administration or the xAPI beside the browser, as the first account or with the key pair of `keyPair()`. */
  admin<T>(method: string, path: string, body?: unknown): Promise<T>;
  xapi<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** A key pair of the first account that may do everything; the same each time. */
  keyPair(): Promise<{ readonly apiKey: string; readonly secretKey: string }>;
  /** Console errors that the test brings about itself, such as the browser's line about an answer of 400. */
  expectErrors(pattern: RegExp): void;
  /** No violation of WCAG 2.2 AA on the page as it is now. */
  expectAccessible(): Promise<void>;
  /** A page of the first account in a browser whose scrollbars take room, as they do on a desktop. */
  withScrollbars(): Promise<Page>;
}

/** The headless shell first: the same engine without what a window needs takes a third less processor time. */
const places = [
  process.env.LRS_TEST_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = places.find((place) => place !== undefined && existsSync(place));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const settings = { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' };

/** What lists, searches and counts, which is where engines could differ. All other screens see HTTP, the same on every engine. */
const onPostgres: readonly string[] = [
  'the overview',
  'the statements',
  'agents and activities on the screen',
  'documents on the screen',
];

/**
 * Runs the tests in Chromium, on SQLite or, where there is one, on Postgres. After each of them: nothing was written to the
 * console as an error, nothing failed in the page, nothing was asked of another host.
 */
export function describeInBrowser(
  title: string,
  tests: (stage: Stage) => void,
  env: Readonly<Record<string, string>> = {},
): void {
  const [sqlite] = engines;
  const postgres = engines.find(({ dialect }) => dialect === 'postgres');
  const engine = onPostgres.includes(title) ? (postgres ?? sqlite) : sqlite;
  if (engine === undefined) throw new Error('There is always SQLite.');
  describe.skipIf(executablePath === undefined)(`${title} on ${engine.name}`, () => {
    const stage = new OpenStage();
    beforeAll(async () => {
      const { options, remove } = await engine.reserve();
      const server = await serverEntrance('http', { ...databaseSettings(options), ...settings, ...env });
      await stage.begin(server);
      return async () => {
        await stage.end();
        await remove();
      };
    });
    beforeEach(() => stage.newPage());
    afterEach(() => stage.closePage());
    tests(stage);
  });
}

const launchOptions = {
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--in-process-gpu'],
  timeout: conditionLimit,
};

let browser: Browser | undefined;

/** One for all files of the process, with which it ends; another one where it could not start or has crashed. */
async function theBrowser(): Promise<Browser> {
  if (!browser?.isConnected()) browser = await chromium.launch(launchOptions);
  return browser;
}

class OpenStage implements Stage {
  #server: ServerEntrance | undefined;
  #page: Page | undefined;
  #token: Promise<string> | undefined;
  #keyPair: Promise<{ readonly apiKey: string; readonly secretKey: string }> | undefined;
  #problems: string[] = [];
  #expected: RegExp[] = [];

  get server(): ServerEntrance {
    return present(this.#server);
  }

  get page(): Page {
    return present(this.#page);
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  async begin(server: ServerEntrance): Promise<void> {
    this.#server = server;
    this.#token = undefined;
    this.#keyPair = undefined;
  }

  async end(): Promise<void> {
    await this.#server?.close();
  }

  async newPage(): Promise<void> {
    this.#problems = [];
    this.#expected = [];
    const opened = await theBrowser();
    const context = await opened.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(conditionLimit);
    context.on('page', (page) => this.#watch(page));
    this.#page = await context.newPage();
  }

  async closePage(): Promise<void> {
    await this.#close();
    const unexpected = this.#problems.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
    expect(unexpected).toEqual([]);
  }

  /** A request that a route is still answering is no failure of the test. */
  async #close(): Promise<void> {
    const context = this.#page?.context();
    if (context === undefined) return;
    const routes = [context, ...context.pages()];
    await Promise.all(routes.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
    await context.close();
  }

  async open(address: string, page = this.page): Promise<void> {
    await page.goto(`${this.server.url}/#${address}`);
  }

  async signIn(address = '/'): Promise<void> {
    // The script runs whenever the page is loaded, and sets the token once.
    const visit = JSON.stringify(randomUUID());
    const token = JSON.stringify(await this.#login());
    await this.page.addInitScript(`if (location.pathname === '/' && window.name !== ${visit}) {
      window.name = ${visit};
      localStorage.setItem('serverless-lrs.token', ${token});
    }`);
    await this.page.goto('about:blank');
    await this.open(address);
    await this.#isSignedIn();
  }

  async signInByForm(address = '/'): Promise<void> {
    await this.open(address);
    await this.page.getByLabel('User name').fill(firstAccount.username);
    await this.page.locator('input[autocomplete=current-password]').fill(firstAccount.password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.#isSignedIn();
  }

  #isSignedIn(): Promise<void> {
    return this.page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  }

  async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    this.#token ??= this.#login();
    return this.#call(method, path, { authorization: `Bearer ${await this.#token}` }, body);
  }

  async xapi<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { apiKey, secretKey } = await this.keyPair();
    const authorization = `Basic ${btoa(`${apiKey}:${secretKey}`)}`;
    return this.#call(method, path, { authorization, 'x-experience-api-version': '2.0.0' }, body);
  }

  keyPair(): Promise<{ readonly apiKey: string; readonly secretKey: string }> {
    this.#keyPair ??= this.admin<Record<'api-key' | 'secret-key', string>>('POST', '/admin/creds', {
      scopes: ['all'],
    }).then((made) => ({ apiKey: made['api-key'], secretKey: made['secret-key'] }));
    return this.#keyPair;
  }

  expectErrors(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** A page may take a frame to react to a new width, so what violates a rule has to be gone in the end. */
  async expectAccessible(): Promise<void> {
    if (!(await this.page.evaluate(`'axe' in window`))) await this.page.evaluate(axe);
    const violations = () =>
      this.page.evaluate(
        `axe.run(document, { runOnly: ${JSON.stringify(wcag)} }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`,
      );
    await expect.poll(violations).toEqual([]);
  }

  async withScrollbars(): Promise<Page> {
    const opened = await chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] });
    onTestFinished(() => opened.close());
    const page = await opened.newPage({ reducedMotion: 'reduce', locale: 'en-GB' });
    page.setDefaultTimeout(conditionLimit);
    this.#watch(page);
    this.#token ??= this.#login();
    const token = JSON.stringify(await this.#token);
    await page.addInitScript(`localStorage.setItem('serverless-lrs.token', ${token})`);
    return page;
  }

  async #login(): Promise<string> {
    const answer = await this.#call<Record<string, string>>('POST', '/admin/account/login', {}, firstAccount);
    return answer['json-web-token'] ?? '';
  }

  async #call<T>(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ): Promise<T> {
    const response = await fetch(this.server.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text || 'null');
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#problems.push(message.text());
    });
    page.on('pageerror', (error) => this.#problems.push(`failed: ${error.message}`));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (!['data:', 'blob:'].includes(protocol) && origin !== this.server.url)
        this.#problems.push(`asked another host: ${request.url()}`);
    });
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is a page only while a test runs.');
  return value;
}
