import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { hasCurl } from '../support/curl.ts';
import { firstAccount, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { becomeDarkPhone, copiedBy, expectWidth, requestsOf } from '../support/page-state.ts';

describeInBrowser('the overview', (stage) => {
  it.runIf(hasCurl)('leads from an empty store to the first statement, by commands that work', async () => {
    await stage.signIn();
    await stage.page.getByRole('heading', { name: 'Send the first statement' }).waitFor();
    await stage.expectAccessible();
    await stage.page.getByRole('button', { name: 'Create such a key pair' }).click();
    await stage.page.getByText('The dots stand for the secret.').first().waitFor();
    const [id] = JSON.parse(await paste(stage, 'Copy: Command that sends a statement'));
    await stage.expectAccessible();
    const { statements } = JSON.parse(await paste(stage, 'Copy: Command that reads statements'));
    expect(statements.map((each: { id: string }) => each.id)).toEqual([id]);
    await stage.page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await expectTile(stage, 'Statements', '1');
    await stage.page.getByRole('heading', { name: 'Statements over time' }).waitFor();
  });

  it('shows what is there, how much comes in, and what most statements have', async () => {
    await stage.xapi('POST', '/xapi/statements', [
      statement('ann', { verb: { id: `${verbs}passed`, display: { en: 'passed', de: 'bestand' } } }),
      statement('ann', { verb: { id: `${verbs}passed` }, context: { platform: 'Moodle' } }),
      statement('ben', { verb: { id: `${verbs}failed` } }),
    ]);
    const expected = await stage.admin<Record<string, number>>(
      'GET',
      '/admin/status?include=statement-count&include=actor-count',
    );
    await stage.signIn();
    await expectTile(stage, 'Statements', String(expected['statement-count']));
    await expectTile(stage, 'Actors', new RegExp(`^Actors${expected['actor-count']}of statements$`));
    await expectTile(stage, 'Rate now', /per second\d+ in the last minute$/);
    await stage.page.getByRole('img', { name: /^Bar chart: \d+ statements, Last 30 days/ }).waitFor();
    await stage.page.getByRole('row', { name: /^Without a platform/ }).waitFor();
    await stage.page.getByRole('row', { name: /^Moodle 1/ }).waitFor();
    await stage.expectAccessible();
    await becomeDarkPhone(stage.page);
    await stage.expectAccessible();
    await expectWidth(stage.page, 360);
    await stage.page.getByRole('link', { name: 'passed' }).click();
    await stage.page.getByRole('heading', { level: 1, name: 'Statements' }).waitFor();
    await expect
      .poll(() => stage.page.url())
      .toBe(`${stage.server.url}/#/statements?verb=${encodeURIComponent(`${verbs}passed`)}`);
  });

  it('tells the statements over time with empty times, in numbers too, and keeps range and unit in the address', async () => {
    await stage.xapi('POST', '/xapi/statements', [statement('cem', {})]);
    await stage.signIn('/?range=day');
    await stage.page.getByRole('button', { name: 'Show as a table' }).click();
    const rows = stage.page.getByRole('table', { name: 'Statements over time' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(1 + 24);
    await expect.poll(() => rows.nth(12).textContent()).toMatch(/:000$/);
    await stage.page.getByText('In your time zone (UTC).').waitFor();
    await stage.expectAccessible();
    await stage.page.getByRole('combobox', { name: 'Range' }).click();
    await stage.page.getByRole('option', { name: 'Last 7 days' }).click();
    await expect.poll(() => rows.count()).toBe(1 + 7);
    await stage.page.getByRole('combobox', { name: 'Unit' }).click();
    await stage.page.getByRole('option', { name: 'Hours' }).click();
    await expect.poll(() => rows.count()).toBe(1 + 168);
    await expect.poll(() => stage.page.url()).toContain('?range=week&unit=hour');
    await rows.getByRole('link').first().click();
    await expect.poll(() => stage.page.url()).toMatch(/#\/statements\?since=[^&]+&until=/);
  });

  it('names every n-th bar of the chart, so that no day seems to be missing', async () => {
    await stage.xapi('POST', '/xapi/statements', [statement('eva', {})]);
    await stage.signIn('/?range=month');
    const ticks = stage.page.locator('[role=img] text').filter({ hasText: /^\d+ \w+ \d{4}$/ });
    /** How many days lie between each two that are named. */
    const gaps = async () => {
      const days = (await ticks.allTextContents()).map((text) => Date.parse(`${text} UTC`) / 86_400_000);
      return days.slice(1).map((day, index) => day - (days[index] ?? 0));
    };
    for (const width of [1280, 820, 360]) {
      await stage.page.setViewportSize({ width, height: 900 });
      await stage.page.reload();
      await ticks.nth(1).waitFor();
      await expect
        .poll(async () => {
          const [gap = 0, ...others] = new Set(await gaps());
          return gap > 0 && others.length === 0;
        })
        .toBe(true);
    }
  });

  it('refreshes by itself, unless the switch or the tab is off', async () => {
    await stage.context.clock.install();
    const requestsAnswered = requestsOf(stage.page);
    await stage.signIn();
    const tile = stage.page.getByRole('group', { name: 'Statements' });
    await tile.getByText(/^\d+$/).first().waitFor();
    const before = await tile.textContent();
    await stage.xapi('POST', '/xapi/statements', [statement('dan', {})]);
    await stage.context.clock.fastForward('00:11');
    await expect.poll(() => tile.textContent()).not.toBe(before);
    await stage.page.getByRole('switch', { name: 'Auto-refresh' }).uncheck({ force: true });
    await stage.page.getByRole('switch', { name: 'Auto-refresh', checked: false }).waitFor();
    await requestsAnswered();
    let asked = 0;
    // The pages that are loaded ahead are none of the numbers.
    stage.page.on('request', (request) => request.url().includes('/admin/') && asked++);
    await stage.context.clock.fastForward('01:00');
    await requestsAnswered();
    expect(asked).toBe(0);
  });

  it('says how to switch the numbers on where they are off', async () => {
    const server = await serverEntrance('http', {
      LRS_DB_NAME: ':memory:',
      LRS_ENABLE_ADMIN_STATUS: 'false',
    });
    await signInAt(stage, server, firstAccount);
    await stage.page.getByText('LRS_ENABLE_ADMIN_STATUS=true').waitFor();
    await closeAfter(stage, server);
  });

  it('warns of a first account whose password breaks rules, and names them', async () => {
    const account = { username: 'first', password: 'too-short' };
    const env = { LRS_ADMIN_USER_DEFAULT: account.username, LRS_ADMIN_PASS_DEFAULT: account.password };
    const server = await serverEntrance('http', { LRS_DB_NAME: ':memory:', ...env });
    await signInAt(stage, server, account);
    const notice = stage.page.getByRole('alert', { name: 'Replace this account' });
    await notice.getByText('User name: At least 7 characters').waitFor();
    await notice.getByText(/^Password: At least 10 characters; An upper case/).waitFor();
    await stage.expectAccessible();
    await stage.page.reload();
    await notice.waitFor();
    await closeAfter(stage, server);
  });
});

const verbs = 'http://adlnet.gov/expapi/verbs/';

function statement(name: string, more: object): object {
  return {
    actor: { mbox: `mailto:${name}@example.org` },
    verb: { id: `${verbs}experienced` },
    object: { id: 'https://example.org/activities/overview', definition: { name: { en: 'The overview' } } },
    ...more,
  };
}

async function expectTile({ page }: Stage, name: string, value: string | RegExp): Promise<void> {
  const tile = page.getByRole('group', { name, exact: true });
  await tile
    .getByText(value instanceof RegExp ? /./ : value, { exact: true })
    .first()
    .waitFor();
  await expect.poll(() => tile.textContent()).toMatch(value);
}

/** Copies a command and runs it, as one does who pastes it into a terminal. */
async function paste({ page }: Stage, label: string): Promise<string> {
  const command = await copiedBy(page.getByRole('button', { name: label }));
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  return stdout;
}

/** Signs in to another server than that of the stage. */
async function signInAt(
  stage: Stage,
  { url }: ServerEntrance,
  { username, password }: typeof firstAccount,
): Promise<void> {
  stage.expectErrors(new RegExp(`^asked another host: ${url}/`));
  await stage.page.goto(url);
  await stage.page.getByLabel('User name').fill(username);
  await stage.page.locator('input[autocomplete=current-password]').fill(password);
  await stage.page.getByRole('button', { name: 'Sign in' }).click();
}

/** A page that asks on would fail when the server is gone. */
async function closeAfter({ page }: Stage, server: ServerEntrance): Promise<void> {
  await page.goto('about:blank');
  await server.close();
}
