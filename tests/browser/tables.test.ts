import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { expectWidth } from '../support/page-state.ts';
import { newIri, newStatement } from '../support/statement-client.ts';

const verbs = 'https://example.org/verbs/';

/** Statements of a Verb that no others have. */
async function sent(stage: Stage, count = 1): Promise<string> {
  const verb = newIri('verbs');
  const one = () =>
    newStatement({
      actor: { name: 'Ann Example', mbox: 'mailto:ann@example.org' },
      verb: { id: verb, display: { en: 'tried out' } },
      object: { id: `${verbs}course`, definition: { name: { en: 'A course' } } },
    });
  await stage.xapi('POST', '/xapi/statements', Array.from({ length: count }, one));
  return verb;
}

const addressOf = ({ page }: Stage) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]);
const details = ({ page }: Stage) => page.getByRole('dialog', { name: 'Statement' });

describeInBrowser('the tables', (stage) => {
  it('open a row by a click anywhere in it, and give the focus back to it', async () => {
    const verb = await sent(stage);
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    const { page } = stage;
    await page.getByRole('cell', { name: 'A course' }).click({ position: { x: 150, y: 5 } });
    await details(stage).getByRole('table', { name: 'Card' }).waitFor();
    await page.keyboard.press('Escape');
    await details(stage).waitFor({ state: 'detached' });
    const link = page.locator('a[data-row]');
    await link.and(page.locator(':focus')).waitFor();
    const outline = () => page.evaluate('getComputedStyle(document.activeElement).outline');
    await expect.poll(outline).toMatch(/solid 2px$/);
    await page.keyboard.press('Enter');
    await details(stage).getByRole('table', { name: 'Card' }).waitFor();
  });

  it('have the focus ring of the theme where they scroll', async () => {
    await sent(stage);
    await stage.signIn('/export');
    const { page } = stage;
    const region = page.getByRole('region', { name: 'The first ten rows' });
    await region.and(page.locator('[tabindex="0"]')).waitFor();
    await page.keyboard.press('Tab');
    await region.focus();
    await region.and(page.locator(':focus')).waitFor();
    const outline = () => page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    await expect.poll(outline).toBe('solid');
  });

  it('open no row while a text in it is selected', async () => {
    const verb = await sent(stage);
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    const { page } = stage;
    await page.getByText('A course', { exact: true }).dblclick();
    await expect.poll(() => page.evaluate('getSelection().toString().trim()')).not.toBe('');
    // The next click is one that opens: had the selection opened the row, its details would cover this cell.
    const actor = page.getByRole('cell', { name: 'Ann Example' });
    await actor.click({ position: { x: 150, y: 5 }, trial: true });
    expect(addressOf(stage).get('show')).toBeNull();
    await actor.click({ position: { x: 150, y: 5 } });
    await details(stage).getByRole('table', { name: 'Card' }).waitFor();
  });

  it('filter by the value of a cell', async () => {
    const verb = await sent(stage);
    await stage.signIn('/statements');
    const { page } = stage;
    await page.getByRole('cell', { name: 'tried out' }).first().hover();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Filter by Verb: tried out' }).first().click();
    await expect.poll(() => addressOf(stage).get('verb')).toBe(verb);
    await expect.poll(() => page.locator('a[data-row]').count()).toBe(1);
    await page.getByRole('button', { name: 'Filter by Actor: Ann Example' }).click();
    await expect.poll(() => addressOf(stage).get('agent')).toBe('{"mbox":"mailto:ann@example.org"}');
    await page.getByRole('button', { name: 'Filter by Object: A course' }).click();
    await expect
      .poll(() => Object.fromEntries(addressOf(stage)))
      .toEqual({ verb, agent: '{"mbox":"mailto:ann@example.org"}', activity: `${verbs}course` });
    expect(await page.locator('a[data-row]').count()).toBe(1);
    await stage.open('/agents?search=ann');
    await page.getByRole('button', { name: 'Filter by Statements: ann@example.org' }).click();
    await page.getByRole('heading', { level: 1, name: 'Statements' }).waitFor();
    expect(addressOf(stage).get('agent')).toBe('{"mbox":"mailto:ann@example.org"}');
  });

  it('are cards on a phone, which show every column without scrolling sideways', async () => {
    await sent(stage, 3);
    const profile = { agent: '{"mbox":"mailto:ann@example.org"}', profileId: 'preferences-of-the-learner' };
    await stage.xapi('POST', `/xapi/agents/profile?${new URLSearchParams(profile)}`, {});
    await stage.signIn('/');
    const { page } = stage;
    await page.setViewportSize({ width: 360, height: 740 });
    const screens = {
      '': 'Overview',
      statements: 'Statements',
      documents: 'Documents',
      agents: 'Agents',
      activities: 'Activities',
      credentials: 'Key pairs',
      accounts: 'Accounts',
      audit: 'Audit trail',
      settings: 'Settings',
    };
    for (const [screen, name] of Object.entries(screens)) {
      await stage.open(`/${screen}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const cells = page.getByRole('main').getByRole('cell');
      await page
        .getByRole('main')
        .getByRole('table')
        .last()
        .getByRole('cell')
        .last()
        .scrollIntoViewIfNeeded();
      const right = () =>
        cells.evaluateAll((all) =>
          Math.max(...all.slice(0, 20).map((each) => each.getBoundingClientRect().right)),
        );
      await expect.poll(right, { message: `the cells of /${screen}` }).toBeLessThanOrEqual(360);
      await expectWidth(page, 360);
    }
  });

  it('begin the next page at its top on a phone', async () => {
    const verb = newIri('verbs');
    const one = (_: unknown, index: number) =>
      newStatement({ actor: { mbox: `mailto:person-${index}@example.org` }, verb: { id: verb } });
    await stage.xapi('POST', '/xapi/statements', Array.from({ length: 65 }, one));
    await stage.signIn('/');
    const { page } = stage;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const address of [`/statements?${new URLSearchParams({ verb })}`, '/agents?search=person-']) {
      await stage.open(address);
      await page.getByRole('button', { name: 'Next page' }).click();
      const last = page.getByRole('button', { name: 'Next page' }).and(page.locator('[aria-disabled=true]'));
      await last.waitFor();
      const rows = page.getByRole('main').getByRole('row');
      await expect.poll(() => rows.count(), { message: address }).toBeLessThan(20);
      const first = rows.filter({ has: page.getByRole('cell') }).first();
      const isInView = async () => {
        const { y = 0 } = (await first.boundingBox()) ?? {};
        return y >= 56 && y < 740;
      };
      await expect.poll(isInView, { message: address }).toBe(true);
    }
  });

  it('let a touch reach the filters of a card', async () => {
    const verb = await sent(stage);
    await stage.signIn(`/statements?${new URLSearchParams({ verb })}`);
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.getByRole('button', { name: 'Filter by Actor: Ann Example' }).waitFor();
    const button = `document.querySelector('[aria-label^="Filter by Actor"]')`;
    await expect.poll(() => stage.page.evaluate(`getComputedStyle(${button}).opacity`)).toBe('1');
  });
});
