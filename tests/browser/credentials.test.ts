import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { becomeDarkPhone, copiedBy } from '../support/page-state.ts';

interface Pair {
  readonly 'api-key': string;
  readonly 'secret-key': string;
  readonly label: string | null;
  readonly scopes: readonly string[];
}

const run = promisify(execFile);

describeInBrowser('the screen of the key pairs', (stage) => {
  const row = (name: RegExp) => stage.page.getByRole('row', { name });
  const dialog = () => stage.page.getByRole('dialog');
  const button = (name: string) => stage.page.getByRole('button', { name, exact: true });
  const scope = (name: string) => dialog().getByRole('checkbox', { name, exact: true });

  const pairs = () => stage.admin<readonly Pair[]>('GET', '/admin/creds');
  const listed = async (label: string) => (await pairs()).find((pair) => pair.label === label);
  const made = (label: string, scopes: readonly string[]) =>
    stage.admin<Pair>('POST', '/admin/creds', { scopes, label });

  /** What a button of the dialog copies. */
  const copied = (name: string) => copiedBy(dialog().getByRole('button', { name, exact: true }));

  it('creates one with the scopes and the label that were chosen first, and shows its secret at once', async () => {
    const told: string[] = [];
    stage.page.on('console', (message) => told.push(message.text()));
    await stage.signIn('/credentials');
    await button('Create a key pair').click();
    await dialog().getByLabel('Label').fill('Moodle of the school');
    await expect.poll(() => scope('statements/write').isChecked()).toBe(true);
    await scope('statements/write').uncheck();
    await scope('statements/read').uncheck();
    await dialog().getByText('Without a scope the pair permits nothing.').waitFor();
    await stage.expectAccessible();
    await button('Courses').click();
    expect(await listed('Moodle of the school')).toBeUndefined();
    await button('Create').click();
    await dialog().getByText('The key pair is ready').waitFor();
    const { scopes, 'secret-key': secret = '' } = (await listed('Moodle of the school')) ?? {};
    expect(scopes?.toSorted()).toEqual(['profile', 'state', 'statements/read', 'statements/write']);
    await expect.poll(() => dialog().textContent()).toContain(secret);
    await stage.expectAccessible();
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])';
    expect((await stage.page.evaluate<string>(kept)) + told.join()).not.toContain(secret);
    await button('Close').click();
    await row(/Moodle of the school/).waitFor();
  });

  it('hides the secret until it is wanted, and gives commands and code that work as they are copied', async () => {
    const { 'secret-key': secret } = await made('Commands', ['statements/write', 'statements/read']);
    await stage.signIn('/credentials');
    await button('Show and use: Commands').click();
    await dialog().getByText('Store a statement', { exact: true }).waitFor();
    expect(await dialog().textContent()).not.toContain(secret);
    expect(await copied('Copy: secret')).toBe(secret);
    await button('Show the secret').click();
    await expect.poll(async () => (await dialog().textContent())?.split(secret)).toHaveLength(4);
    await button('Hide the secret').click();
    const [id] = JSON.parse(
      (await run('sh', ['-c', `${await copied('Copy: Store a statement')} -s`])).stdout,
    );
    const { stdout: found } = await run('sh', [
      '-c',
      `${await copied('Copy: Read the newest statements')} -s`,
    ]);
    expect(found).toContain(id);
    await dialog().getByRole('tab', { name: 'JavaScript' }).click();
    const code = await copied('Copy: Store a statement, then read the newest ones');
    const { stdout: told } = await run(process.execPath, ['--input-type=module', '-e', code]);
    expect(told).toMatch(/^200 \[.*\n200 /s);
    await expect.poll(() => dialog().textContent()).not.toContain(secret);
    await stage.expectAccessible();
  });

  it('fills in what Moodle and Storyline ask for, and says which scopes they need', async () => {
    const { 'api-key': apiKey, 'secret-key': secret } = await made('Tools', ['statements/write']);
    const endpoint = `${stage.server.url}/xapi`;
    await stage.signIn('/credentials');
    await button('Show and use: Tools').click();
    await dialog().getByRole('tab', { name: 'Moodle' }).click();
    expect(await copied('Copy: Your LRS endpoint for the xAPI')).toBe(endpoint);
    expect(await copied('Copy: Your LRS basic auth key/username')).toBe(apiKey);
    expect(await copied('Copy: Your LRS basic auth secret/password')).toBe(secret);
    expect(await copied('Copy: Endpoint')).toBe(`${endpoint}/`);
    expect(await copied('Copy: Basic Login')).toBe(apiKey);
    expect(await copied('Copy: Basic Password')).toBe(secret);
    await dialog().getByText('that the tool needs: statements/read, state, agents_profile').waitFor();
    await dialog().getByRole('tab', { name: 'Articulate Storyline' }).click();
    expect(await copied('Copy: Endpoint')).toBe(`${endpoint}/`);
    expect(await copied('Copy: Key')).toBe(apiKey);
    expect(await copied('Copy: Secret')).toBe(secret);
    expect(await dialog().textContent()).not.toContain(secret);
    await becomeDarkPhone(stage.page);
    await stage.expectAccessible();
  });

  it('changes label and scopes, and deletes after a question that names the pair', async () => {
    const { 'api-key': apiKey } = await made('Old label', ['statements/read']);
    await stage.signIn('/credentials');
    await button('Edit: Old label').click();
    await dialog().getByLabel('Label').fill('New label');
    await scope('all').check();
    await dialog().getByText('The scope “all” contains every other one.').waitFor();
    await scope('statements/read').uncheck();
    await button('Save').click();
    await stage.page.getByText('The key pair New label is saved.').waitFor();
    await row(/New label/).waitFor();
    expect(await listed('New label')).toMatchObject({ 'api-key': apiKey, scopes: ['all'] });
    await button('Delete: New label').click();
    await dialog().getByText('The key pair “New label”').waitFor();
    await dialog().getByText(apiKey).waitFor();
    await stage.expectAccessible();
    await button('Cancel').click();
    expect(await listed('New label')).toBeDefined();
    await button('Delete: New label').click();
    await button('Delete').click();
    await row(/New label/).waitFor({ state: 'detached' });
    expect(await listed('New label')).toBeUndefined();
  });

  it('finds and sorts them, and says that one whose secret is lost can only be deleted', async () => {
    for (const label of ['sorted b', 'sorted lost', 'sorted a']) await made(label, ['state/read']);
    await stage.page.route('**/admin/creds', async (route) => {
      const response = await route.fetch();
      const found: readonly Pair[] = await response.json();
      const json = found.map((pair) =>
        pair.label === 'sorted lost' ? { ...pair, 'secret-key': null } : pair,
      );
      await route.fulfill({ response, json });
    });
    await stage.signIn('/credentials');
    const search = stage.page.getByLabel('Search');
    await search.fill('SORTED');
    await stage.page.getByText(/^3 of \d+ key pairs$/).waitFor();
    const firstCells = stage.page.getByRole('row').getByRole('cell').first();
    await expect.poll(() => firstCells.textContent()).toBe('sorted a');
    await button('Label').click();
    await expect.poll(() => firstCells.textContent()).toContain('sorted lost');
    const head = stage.page.getByRole('columnheader', { name: 'Label' });
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    const unreadable = row(/sorted lost.*Secret unreadable/);
    await expect.poll(() => unreadable.getByRole('button').count()).toBe(2);
    await stage.page.getByText('stored under another credentialKey').waitFor();
    await stage.expectAccessible();
    await search.fill('nothing of the kind');
    await stage.page.getByText(/^0 of \d+ key pairs$/).waitFor();
  });
});
