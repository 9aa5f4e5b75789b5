import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeInBrowser, type Stage } from '../support/browser.ts';
import { expectWidth } from '../support/page-state.ts';

const zoe = { account: { name: 'zoë@work', homePage: 'https://people.example.org/@home' } };
const course = 'https://example.org/courses/first';

const definition = {
  name: { en: 'First steps', de: 'Erste Schritte' },
  description: { en: 'How to begin' },
  type: 'http://adlnet.gov/expapi/activities/course',
  moreInfo: 'https://example.org/about',
  interactionType: 'choice',
  correctResponsesPattern: ['a'],
  choices: [{ id: 'a', description: { en: 'The first' } }],
  extensions: { 'https://example.org/weight': 1.5 },
};

/** Statements of Zoë and of more people than a page has; the account that stores them is an agent, too. */
async function fill(stage: Stage): Promise<void> {
  const verb = { id: 'http://adlnet.gov/expapi/verbs/completed', display: { en: 'completed' } };
  const statement = (actor: object, object: object) => ({ id: randomUUID(), actor, verb, object });
  const crowd = Array.from({ length: 60 }, (_, n) =>
    statement(
      { name: `Learner ${n}`, mbox: `mailto:learner${n}@example.org` },
      { id: `https://example.org/lessons/${n}` },
    ),
  );
  await stage.xapi('POST', '/xapi/statements', [
    statement({ ...zoe, name: 'Zoë' }, { id: course, definition }),
    statement({ ...zoe, name: 'Zoë Young' }, { id: course }),
    ...crowd,
  ]);
}

describeInBrowser('agents and activities on the screen', (stage) => {
  it('begin empty, with what will bring entries', async () => {
    await stage.keyPair();
    await stage.signIn('/agents');
    await stage.page.getByText('There are no Agents yet.').waitFor();
    await stage.expectAccessible();
    await stage.open('/activities');
    await stage.page.getByText('There are no Activities yet.').waitFor();
  });

  it('list agents page by page, and the way back works', async () => {
    await fill(stage);
    await stage.signIn('/agents');
    const { page } = stage;
    const rows = page.getByRole('table', { name: 'Agents' }).locator('tbody').getByRole('row');
    await page.getByText('50 entries on this page').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('12 entries on this page').waitFor();
    await expect.poll(() => rows.count()).toBe(12);
    await expect.poll(() => page.url()).toContain('from=');
    await page.reload();
    await page.getByText('12 entries on this page').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByText('50 entries on this page').waitFor();
    await page.goBack();
    await page.getByText('12 entries on this page').waitFor();
    await stage.expectAccessible();
  });

  it('find an agent by a part of a name, and show who it is and where it leads', async () => {
    await stage.signIn('/agents?search=nobody');
    const { page } = stage;
    await page.getByText('No entry matches the search').waitFor();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('nobody');
    await page.getByLabel('Search').fill('young');
    await page.getByText('1 entry on this page').waitFor();
    await expect.poll(() => page.url()).toContain('search=young');
    const row = page.getByRole('row', { name: /zoë@work/ });
    await expect
      .poll(() => row.getByRole('cell').allTextContents())
      .toEqual(['zoë@work (https://people.example.org/@home)', 'Account', 'Zoë Young, Zoë', '2']);
    await row.getByRole('link').click();
    const details = page.getByRole('dialog');
    const person = details.getByRole('table', { name: 'Person' });
    await person.getByText('Zoë Young').waitFor();
    await stage.expectAccessible();
    const links = details.getByRole('navigation', { name: 'About this Agent' });
    const parameter = new URLSearchParams({ agent: JSON.stringify(zoe) }).toString();
    const targets = () =>
      links.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    await expect
      .poll(targets)
      .toEqual([
        `#/statements?${parameter}`,
        `#/statements?${parameter}&related_agents=true`,
        `#/documents?${parameter}`,
        `#/audit?${parameter}`,
        `#/erase?${parameter}`,
      ]);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).not.toContain('show=');
    await page.goBack();
    await person.getByText('Zoë Young').waitFor();
  });

  it('show what statements say of an activity, as a card and as JSON', async () => {
    await stage.signIn('/activities?search=first%20STEPS');
    const { page } = stage;
    const row = page.getByRole('row', { name: course });
    await row.waitFor();
    const cells = () => row.getByRole('cell').allTextContents();
    await expect.poll(cells).toEqual([course, 'First steps', 'course', '2']);
    await page.getByRole('link', { name: course }).click();
    const details = page.getByRole('dialog', { name: course });
    const card = details.getByRole('table', { name: 'Definition' });
    await card.getByText('a: The first').waitFor();
    await expect
      .poll(() => card.getByRole('row').allTextContents())
      .toEqual([
        'NameFirst steps',
        'DescriptionHow to begin',
        `Type${definition.type}`,
        'More informationhttps://example.org/about',
        'Interactionchoice',
        'Correct responsesa',
        'Choicesa: The first',
      ]);
    await details.getByText('Text', { exact: true }).click();
    await details.getByText('"https://example.org/weight": 1.5').waitFor();
    await stage.expectAccessible();
    await details.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    const parameter = new URLSearchParams({ activityId: course }).toString();
    await expect.poll(() => page.url()).toContain(parameter);
  });

  it('fit a phone, in the dark', async () => {
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.emulateMedia({ colorScheme: 'dark' });
    await stage.signIn('/activities');
    const { page } = stage;
    await page.getByText('50 entries on this page').waitFor();
    await expectWidth(page, 360);
    await stage.expectAccessible();
    await stage.open(`/agents?${new URLSearchParams({ show: JSON.stringify(zoe) })}`);
    await page.getByRole('dialog').getByText('Zoë Young').first().waitFor();
    await expectWidth(page, 360);
    await stage.expectAccessible();
  });
});
