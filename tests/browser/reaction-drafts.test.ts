import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { becomeDarkPhone } from '../support/page-state.ts';
import { ruleset } from '../support/reactions.ts';
import { reactionsOn } from '../support/reactions-on-stage.ts';

describeInBrowser(
  'drafts of reactions on the screen',
  (stage) => {
    const button = (name: string | RegExp, within: Locator | typeof stage.page = stage.page) =>
      within.getByRole('button', { name, exact: true });
    const title = () => stage.page.getByLabel('Title', { exact: true });
    const json = () => stage.page.getByLabel('The same as JSON', { exact: true });
    const heading = (name: string) => stage.page.getByRole('heading', { level: 1, name, exact: true });
    const dialog = (name: string) => stage.page.getByRole('dialog', { name });
    const focused = (place: Locator) => place.and(stage.page.locator(':focus')).waitFor();

    const { create, remove } = reactionsOn(stage);

    const speakGerman = async () => {
      await button('Language').click();
      await stage.page.getByRole('menuitem', { name: 'Deutsch' }).click();
    };

    const signIn = async ({ username, password }: Account) => {
      await stage.page.getByLabel('User name').fill(username);
      await stage.page.locator('input[autocomplete=current-password]').fill(password);
      await button('Sign in').click();
    };

    /** An account that signs in to the editor, and what ends its session as an expired token does. */
    const visitor = async (username: string, address: string) => {
      const account = { username, password: 'Tr1cky_pass!' };
      await stage.admin('POST', '/admin/account/create', account);
      await stage.open(address);
      await signIn(account);
      const end = async () => {
        const token = await stage.page.evaluate<string>("localStorage.getItem('serverless-lrs.token')");
        await fetch(`${stage.server.url}/admin/account/logout`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        });
        stage.expectErrors(/status of 401/);
        await heading('Sign in').waitFor();
      };
      return { account, end };
    };

    it('give way to an example only after a question, unless they are one', async () => {
      await stage.signIn('/reactions?edit=new');
      await button(/^Certificate/).click();
      await expect.poll(() => title().inputValue()).toMatch(/^Certificate/);
      await button(/^Badge/).click();
      await expect.poll(() => title().inputValue()).toMatch(/^Badge/);
      await title().fill('My badge');
      await button(/^Alert after the third/).click();
      await stage.expectAccessible();
      await button('Cancel', dialog('Replace what you have here?')).click();
      await dialog('Replace what you have here?').waitFor({ state: 'detached' });
      await focused(button(/^Alert after the third/));
      expect(await title().inputValue()).toBe('My badge');
      await button(/^Alert after the third/).click();
      await button('Replace', dialog('Replace what you have here?')).click();
      await expect.poll(() => title().inputValue()).toMatch(/^Alert/);
    });

    it('keep a title that was typed before an example is chosen, and ask nothing', async () => {
      await stage.signIn('/reactions?edit=new');
      await title().fill('My certificate');
      const begun = await json().inputValue();
      await button(/^Certificate/).click();
      await expect.poll(() => json().inputValue()).not.toBe(begun);
      expect(await title().inputValue()).toBe('My certificate');
      await button(/^Badge/).click();
      await expect.poll(() => json().inputValue()).toContain('badges/expert');
      expect(await title().inputValue()).toBe('My certificate');
      await title().fill('');
      await button(/^Certificate/).click();
      await button('Replace', dialog('Replace what you have here?')).click();
      await expect.poll(() => title().inputValue()).toMatch(/^Certificate/);
    });

    it('with many mistakes can be corrected on a phone: the list of mistakes scrolls and does not cover the form', async () => {
      await stage.signIn('/reactions?edit=new');
      await becomeDarkPhone(stage.page);
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const wrong = Object.fromEntries(
        names.map((name) => [name, { path: ['nowhere', name], op: 'eq', val: 1 }]),
      );
      await json().fill(JSON.stringify(ruleset({ conditions: wrong })));
      stage.expectErrors(/status of 400/);
      await button('Save').click();
      const notices = stage.page.getByRole('region', { name: 'Notices' });
      const refusal = notices.getByRole('alert');
      await refusal.getByText('conditions.f.path[0]:').waitFor({ state: 'attached' });
      const height = await notices.evaluate((element) => element.clientHeight);
      expect(height).toBeLessThanOrEqual(0.4 * 740);
      await stage.expectAccessible();
      // A click needs a field that nothing covers.
      await title().click();
      await stage.page.getByLabel('Name of the condition', { exact: true }).last().click();
      await json().fill(JSON.stringify(ruleset()));
      await refusal.waitFor({ state: 'detached' });
      await notices.waitFor({ state: 'detached' });
    });

    it('that the server refuses say where, until those places are edited', async () => {
      await stage.signIn('/reactions?edit=new');
      const wrong = {
        quiz: { path: ['result', 'score', 'scaled'], op: 'gt', val: 'much' },
        other: { path: ['nowhere'], op: 'eq', val: 1 },
      };
      await json().fill(JSON.stringify(ruleset({ conditions: wrong })));
      await button('Save').click();
      const refusal = stage.page.getByRole('alert').filter({ hasText: 'The reaction was not saved' });
      await refusal
        .getByText(
          /conditions\.quiz\.val: The value has the wrong type: result\.score\.scaled has values of the type “number”\. Enter/,
        )
        .waitFor();
      await refusal.getByText('conditions.other.path[0]: The path does not lead to a value.').waitFor();
      stage.expectErrors(/status of 400/);
      await stage.expectAccessible();
      const half = { ...wrong, quiz: { ...wrong.quiz, val: 0.8 } };
      await json().fill(JSON.stringify(ruleset({ conditions: half })));
      await refusal.getByText(/conditions\.quiz/).waitFor({ state: 'detached' });
      expect(await refusal.getByText(/conditions\.other/).count()).toBe(1);
      await json().fill(JSON.stringify(ruleset({ conditions: { quiz: half.quiz } })));
      await refusal.waitFor({ state: 'detached' });
    });

    it('name in German what is wrong, with the words of the server in English beside it', async () => {
      const id = await create('Vergeben');
      await stage.signIn('/reactions?edit=new');
      await speakGerman();
      await heading('Neue Reaktion').waitFor();
      const field = stage.page.getByLabel('Dasselbe als JSON', { exact: true });
      const conditions = { quiz: { path: ['verb', 'id'], op: 'eqq', val: 'x:y' } };
      await field.fill(JSON.stringify(ruleset({ conditions, extra: 1 })));
      const form = stage.page.getByRole('group', { name: 'Formular' });
      await form.getByText('Fehler: Diesen Vergleich gibt es nicht.').waitFor();
      await form.getByText('Fehler: „extra“ ist unbekannt und hat keine Wirkung.').waitFor();
      const words = form.getByText(/^must be one of eq/);
      expect(await words.getAttribute('lang')).toBe('en');
      stage.expectErrors(/status of 400/);
      await field.fill(JSON.stringify(ruleset()));
      await stage.page.getByLabel('Titel', { exact: true }).fill('Vergeben');
      await button('Speichern').click();
      await stage.page
        .getByRole('alert')
        .filter({ hasText: 'Eine andere Reaktion heißt so. Wählen Sie einen anderen Titel.' })
        .waitFor();
      await button('Zum Titel').click();
      await focused(stage.page.getByLabel('Titel', { exact: true }));
      await remove(id);
    });

    it('outlive the session, for whoever has written them', async () => {
      const id = await create('Long work');
      const { account, end } = await visitor('an-author', `/reactions?edit=${id}`);
      await title().fill('Longer work');
      const broken = `${await json().inputValue()} …`;
      await json().fill(broken);
      await end();
      await focused(heading('Sign in'));
      await signIn(account);
      await stage.page.getByRole('status').filter({ hasText: 'Your draft is back' }).waitFor();
      await focused(heading('Edit a reaction'));
      expect(await title().inputValue()).toBe('Longer work');
      expect(await json().inputValue()).toBe(broken);
      await stage.expectAccessible();
      // Others have changed it in the meantime, as the notice of the editor says.
      await stage.admin('PUT', '/admin/reaction', { reactionId: id, title: 'Their work' });
      await stage.page.getByRole('alert').filter({ hasText: 'The title is now “Their work”.' }).waitFor();
      await button('Cancel').click();
      await button('Discard', dialog('Discard the changes?')).click();
      await heading('Reactions').waitFor();
      await stage.open(`/reactions?edit=${id}`);
      await expect.poll(() => title().inputValue()).toBe('Their work');
      await remove(id);
    });

    it('are not shown to somebody else who signs in, nor to anybody after him', async () => {
      const { account, end } = await visitor('first-author', '/reactions?edit=new');
      await title().fill('Secret plan');
      await end();
      const other = { username: 'second-author', password: 'Tr1cky_pass!' };
      await stage.admin('POST', '/admin/account/create', other);
      await signIn(other);
      await heading('New reaction').waitFor();
      expect(await title().inputValue()).toBe('');
      expect(await stage.page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Secret plan');
      await button('Account').click();
      await stage.page.getByRole('menuitem', { name: 'Sign out' }).click();
      await signIn(account);
      await heading('New reaction').waitFor();
      expect(await title().inputValue()).toBe('');
    });
  },
  { LRS_ENABLE_REACTIONS: 'true' },
);

interface Account {
  readonly username: string;
  readonly password: string;
}
