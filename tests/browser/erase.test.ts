import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { expectWidth } from '../support/page-state.ts';

const ann = { mbox: 'mailto:ann@example.org' };
const zoe = { account: { name: 'zoë@work', homePage: 'https://people.example.org/@home' } };
const bob = { mbox: 'mailto:bob@example.org' };

describeInBrowser('the erasure of an actor on the screen', (stage) => {
  /** Two statements that mention each of them, and a document. */
  beforeEach(async () => {
    const verb = { id: 'http://adlnet.gov/expapi/verbs/completed' };
    const object = { id: 'https://example.org/courses/first' };
    for (const [name, actor] of Object.entries({ Ann: ann, Zoë: zoe })) {
      await stage.xapi('POST', '/xapi/statements', [
        { id: randomUUID(), actor: { ...actor, name }, verb, object },
        { id: randomUUID(), actor: bob, verb, object: { objectType: 'Agent', ...actor } },
      ]);
      const document = new URLSearchParams({ agent: JSON.stringify(actor), profileId: 'likes' });
      await stage.xapi('POST', `/xapi/agents/profile?${document}`, {});
    }
  });

  it('counts first, asks for the identifier to be typed, removes all and says how much that was', async () => {
    await stage.signIn('/erase');
    const { page } = stage;
    await page.getByText('What stays').waitFor();
    await stage.expectAccessible();
    await page.getByRole('combobox', { name: 'Mail address' }).fill('Ann');
    await page.getByRole('option', { name: 'ann@example.org' }).click();
    await page.getByRole('button', { name: 'Count what is recorded' }).click();
    const counts = page.getByRole('table', { name: 'Recorded of ann@example.org' });
    await counts.getByRole('row', { name: 'Statements that mention the actor, in any role 2' }).waitFor();
    await counts.getByRole('row', { name: 'Documents (state and profiles) 1' }).waitFor();
    await counts.getByRole('row', { name: 'Names 1', exact: true }).waitFor();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Erase this actor for good?' });
    const confirm = question.getByRole('button', { name: 'Erase' });
    await stage.expectAccessible();
    await question.getByRole('textbox').fill('ann@example.com');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await question.getByRole('textbox').fill('ann@example.org');
    await confirm.click();
    const removed = page.getByRole('table', { name: 'Removed of ann@example.org' });
    await removed.getByRole('row', { name: 'Statements that mention the actor, in any role 2' }).waitFor();
    const complete = page.getByRole('status').filter({ hasText: 'The erasure is complete' });
    await complete.and(page.locator(':focus')).waitFor();
    await page.getByText(/^ann@example.org was erased at .* by /).waitFor();
    await stage.expectAccessible();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the receipt' }).click();
    const receipt = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
    expect(receipt).toMatchObject({
      erased: 'mbox::mailto:ann@example.org',
      rows: { statement: 2, document: 1 },
    });
    await page.getByText(`Entry in the audit trail: ${receipt['audit-event']}`).waitFor();
    const { statements } = await stage.xapi<{ statements: unknown[] }>(
      'GET',
      `/xapi/statements?${new URLSearchParams({ agent: JSON.stringify(ann) })}`,
    );
    expect(statements).toEqual([]);
  });

  it('takes an account that another page chose, and leaves everything when nothing is confirmed', async () => {
    await stage.signIn(`/agents?${new URLSearchParams({ show: JSON.stringify(zoe) })}`);
    const { page } = stage;
    await page.getByRole('dialog').getByRole('link', { name: 'Erase' }).click();
    const counts = page.getByRole('table', {
      name: 'Recorded of zoë@work (https://people.example.org/@home)',
    });
    await counts
      .getByRole('row', { name: /^Statements that mention the actor, in any role [2-9]/ })
      .waitFor();
    const name = page.getByRole('combobox', { name: 'Account name' });
    await expect.poll(() => name.inputValue()).toBe('zoë@work');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Count again' }).click();
    await counts.waitFor();
  });

  it('says that nothing is recorded of somebody, what the server refuses, and that it would take one account for another', async () => {
    stage.expectErrors(/400/);
    await stage.signIn(`/erase?${new URLSearchParams({ agent: '{"mbox":"mailto:nobody@example.org"}' })}`);
    const { page } = stage;
    await page.getByText('Nothing is recorded of nobody@example.org.').waitFor();
    await page.getByRole('combobox', { name: 'Mail address' }).fill('nobody');
    await page.getByRole('button', { name: 'Count what is recorded' }).click();
    await page.getByText('The server said: actor-ifi must be one of').waitFor();
    await stage.expectAccessible();
    const agent = JSON.stringify({ account: { name: 'a', homePage: 'https://example.org/@urn:b' } });
    await stage.open(`/erase?${new URLSearchParams({ agent })}`);
    await page.getByText('The server cannot tell this actor by its identifier.').waitFor();
  });

  it('fits a phone, in the dark', async () => {
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.emulateMedia({ colorScheme: 'dark' });
    await stage.signIn(`/erase?${new URLSearchParams({ agent: JSON.stringify(zoe) })}`);
    await stage.page.getByRole('table', { name: /^Recorded of/ }).waitFor();
    await expectWidth(stage.page, 360);
    await stage.expectAccessible();
  });

  it('means exactly the account that was suggested, and its name is typed as it is seen', async () => {
    const account = { name: ' max  power ', homePage: 'https://people.example.org' };
    const verb = { id: 'http://adlnet.gov/expapi/verbs/completed' };
    const statement = { actor: { account }, verb, object: { id: 'https://example.org/courses/first' } };
    await stage.xapi('POST', '/xapi/statements', [statement]);
    await stage.signIn('/erase');
    const { page } = stage;
    await page.getByRole('combobox', { name: 'Identified by' }).click();
    await page.getByRole('option', { name: 'Account', exact: true }).click();
    await page.getByRole('combobox', { name: 'Account name' }).fill('max');
    await page.getByRole('option', { name: 'max' }).click();
    await page.getByRole('button', { name: 'Count what is recorded' }).click();
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('textbox').fill('max power (https://people.example.org)');
    await question.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('table', { name: /^Removed of\s+max/ }).waitFor();
    const { statements } = await stage.xapi<{ statements: unknown[] }>(
      'GET',
      `/xapi/statements?${new URLSearchParams({ agent: JSON.stringify({ account }) })}`,
    );
    expect(statements).toEqual([]);
  });
});
