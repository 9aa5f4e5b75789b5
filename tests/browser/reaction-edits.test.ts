import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { ruleset } from '../support/reactions.ts';
import { reactionsOn } from '../support/reactions-on-stage.ts';

describeInBrowser(
  'edits of reactions on the screen',
  (stage) => {
    const button = (name: string, within: Locator | typeof stage.page = stage.page) =>
      within.getByRole('button', { name, exact: true });
    const title = () => stage.page.getByLabel('Title', { exact: true });
    const json = () => stage.page.getByLabel('The same as JSON', { exact: true });
    const heading = (name: string) => stage.page.getByRole('heading', { level: 1, name, exact: true });
    const question = () => stage.page.getByRole('dialog', { name: 'Discard the changes?' });

    /** What the editor says about others. */
    const notice = () => stage.page.getByRole('alert').filter({ hasText: /since you began|seit Sie sie/ });

    const { create, remove } = reactionsOn(stage, { active: true });
    const change = (reactionId: string, parts: object) =>
      stage.admin('PUT', '/admin/reaction', { reactionId, ...parts });
    const titles = async () =>
      (
        await stage.admin<{ readonly reactions: readonly { readonly title: string }[] }>(
          'GET',
          '/admin/reaction',
        )
      ).reactions.map((each) => each.title);

    const speakGerman = async () => {
      await button('Language').click();
      await stage.page.getByRole('menuitem', { name: 'Deutsch' }).click();
    };

    /** On a phone, light and dark, nothing is wider than the page or than what it stands in. */
    const expectPhone = async () => {
      await stage.page.setViewportSize({ width: 360, height: 740 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await stage.page.emulateMedia({ colorScheme });
        const coloured = stage.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`);
        await coloured.waitFor({ state: 'attached' });
        await stage.expectAccessible();
        expect(await stage.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        expect(await stage.page.evaluate(cutTexts)).toEqual([]);
      }
    };

    it('do not replace silently what somebody else has saved meanwhile, but after a question', async () => {
      const id = await create('Shared');
      await stage.signIn(`/reactions?edit=${id}`);
      await title().fill('Mine');
      await change(id, { title: 'Theirs', active: false });
      await notice().getByText('The title is now “Theirs”. The state is now: Paused.').waitFor();
      await notice()
        .getByText(/^\S+ has changed this reaction since you began to edit it\./)
        .waitFor();
      await stage.expectAccessible();
      await button('Save').click();
      const over = stage.page.getByRole('dialog', { name: 'Save over the other version?' });
      await stage.expectAccessible();
      await button('Cancel', over).click();
      await over.waitFor({ state: 'detached' });
      expect(await titles()).toEqual(['Theirs']);
      await button('Save over it', notice()).click();
      await button('Save over it', over).click();
      await stage.page.getByRole('row', { name: /^Mine Active/ }).waitFor();
      await remove(id);
    });

    it('are refused by the server when somebody has saved in the moment before, and can give way', async () => {
      const id = await create('Shared');
      await stage.signIn(`/reactions?edit=${id}`);
      await title().fill('Mine');
      // The other one saves when the page has just looked.
      await stage.page.route('**/admin/reaction', async (route) => {
        if (route.request().method() === 'PUT') await change(id, { title: 'Theirs' });
        await route.continue();
      });
      await button('Save').click();
      await notice().getByText('The title is now “Theirs”.').waitFor();
      stage.expectErrors(/status of 412/);
      expect(await title().inputValue()).toBe('Mine');
      await button('Load that version').click();
      await button('Load that version', question()).click();
      await expect.poll(() => title().inputValue()).toBe('Theirs');
      expect(await notice().count()).toBe(0);
      await stage.page.unroute('**/admin/reaction');
      await change(id, { title: 'Theirs again' });
      await expect.poll(() => title().inputValue()).toBe('Theirs again');
      await remove(id);
    });

    it('outlive the reaction when somebody else deletes it', async () => {
      const id = await create('Doomed');
      await stage.signIn(`/reactions?edit=${id}`);
      await title().fill('Kept');
      await remove(id);
      await notice()
        .getByText(/has deleted this reaction since you began to edit it\./)
        .waitFor();
      expect(await title().inputValue()).toBe('Kept');
      await stage.expectAccessible();
      await button('Copy the JSON').click();
      await expect
        .poll(() => stage.page.evaluate('navigator.clipboard.readText()'))
        .toBe(await json().inputValue());
      await speakGerman();
      await notice()
        .getByText(/hat diese Reaktion gelöscht, seit Sie sie bearbeiten/)
        .waitFor();
      await expectPhone();
      await button('Als neue Reaktion speichern').click();
      await stage.page.getByRole('row', { name: /^Kept Aktiv/ }).waitFor();
      expect(await titles()).toEqual(['Kept']);
      const [made] = (
        await stage.admin<{ readonly reactions: readonly { readonly id: string }[] }>(
          'GET',
          '/admin/reaction',
        )
      ).reactions;
      expect(made?.id).not.toBe(id);
      await remove(made?.id ?? '');
    });

    it('need a title where there was one, and JSON that names no member twice', async () => {
      const id = await create('Strict');
      await stage.signIn(`/reactions?edit=${id}`);
      await title().fill(' ');
      await stage.page.getByText('A reaction needs a title.').waitFor();
      await button('Save').click();
      await stage.page.locator(':focus').and(title()).waitFor();
      await stage.expectAccessible();
      await title().fill('Strict');
      await json().fill('{\n  "template": {},\n  "template": {} }');
      await stage.page.getByText(/^Line 3, column 3: “template” is in this object already/).waitFor();
      expect(await button('Save').isDisabled()).toBe(true);
      await stage.expectAccessible();
      await button('Go there').click();
      const selected =
        'const { value, selectionStart, selectionEnd } = document.activeElement; value.slice(selectionStart, selectionEnd)';
      expect(await stage.page.evaluate(`{ ${selected} }`)).toBe('"template"');
      await remove(id);
    });

    it('show in the statement how much it triggered, page by page', async () => {
      const verb = 'https://example.org/verbs/passed';
      const conditions = { seen: { path: ['verb', 'id'], op: 'eq', val: verb } };
      const ids = [];
      for (let count = 1; count <= 21; count += 1)
        ids.push(await create(`Echo ${count}`, ruleset({ conditions })));
      const [statement] = await stage.xapi<string[]>('POST', '/xapi/statements', {
        actor: { mbox: 'mailto:ann@example.org' },
        verb: { id: verb },
        object: { id: 'https://example.org/course' },
      });
      await stage.server.settle();
      await stage.signIn(`/statements?show=${statement}`);
      const links = stage.page.getByRole('region', { name: 'Reactions' });
      await expect.poll(() => links.getByText(/^Triggered the reaction/).count()).toBe(20);
      await stage.expectAccessible();
      await button('Show more triggered reactions').click();
      await expect.poll(() => links.getByText(/^Triggered the reaction/).count()).toBe(21);
      expect(await button('Show more triggered reactions').count()).toBe(0);
      for (const id of ids) await remove(id);
    });

    it('have room for German texts on a phone', async () => {
      const and = [
        { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/passed' },
        { path: ['result', 'score', 'scaled'], op: 'gt', val: 0.8 },
        { path: ['actor', 'name'], op: 'like', ref: { condition: 'other', path: ['actor', 'name'] } },
        { or: [{ not: { path: ['object', 'id'], op: 'like', val: 'x' } }] },
      ];
      const other = { path: ['verb', 'id'], op: 'noteq', val: 'https://example.org/verbs/other' };
      const id = await create('Zertifikat', ruleset({ conditions: { seen: { and }, other } }));
      await stage.signIn('/reactions');
      await speakGerman();
      await heading('Reaktionen').waitFor();
      await expectPhone();
      await button('Bearbeiten: Zertifikat').click();
      await heading('Reaktion bearbeiten').waitFor();
      await expectPhone();
      await change(id, { active: false });
      await stage.page.getByLabel('Titel', { exact: true }).fill('Zertifikat 2');
      await change(id, { title: 'Diplom' });
      await notice().getByText('Der Titel ist jetzt „Diplom“.').waitFor();
      await expectPhone();
      await stage.open(`/reactions?show=${id}`);
      await button('Verwerfen').click();
      await stage.page.getByRole('heading', { level: 3, name: 'Diplom' }).waitFor();
      await expectPhone();
      await remove(id);
    });

    // The last one: signing out ends the token of the calls beside the browser, too.
    it('are asked about when an address is typed, when going back from one, and when signing out', async () => {
      const id = await create('Typed');
      await stage.signIn('/statements');
      await heading('Statements').waitFor();
      const type = (address: string) => stage.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      const stay = async () => {
        await button('Keep editing', question()).click();
        await question().waitFor({ state: 'detached' });
        await heading('Edit a reaction').waitFor();
        expect(await title().inputValue()).toBe('Changed');
        await expect.poll(() => new URL(stage.page.url()).hash).toBe(`#/reactions?edit=${id}`);
      };
      await type(`/reactions?edit=${id}`);
      await heading('Edit a reaction').waitFor();
      await title().fill('Changed');
      await type('/audit');
      await question().waitFor();
      await stage.expectAccessible();
      await stay();
      await stage.page.goBack();
      await stay();
      await button('Account').click();
      await stage.page.getByRole('menuitem', { name: 'Sign out' }).click();
      await stay();
      await stage.page.goBack();
      await button('Discard', question()).click();
      await heading('Statements').waitFor();
      await stage.page.goForward();
      await heading('Edit a reaction').waitFor();
      await title().fill('Changed');
      await type('/audit');
      await button('Discard', question()).click();
      await heading('Audit trail').waitFor();
      expect(await titles()).toContain('Typed');
      await stage.page.goBack();
      await heading('Edit a reaction').waitFor();
      await title().fill('Changed');
      await button('Account').click();
      await stage.page.getByRole('menuitem', { name: 'Sign out' }).click();
      await button('Discard', question()).click();
      await stage.page.getByLabel('User name').waitFor();
    });
  },
  { LRS_ENABLE_REACTIONS: 'true' },
);

/** Texts of which a part is not shown, and choices that are longer than their field; what scrolls shows all. */
const cutTexts = `(() => {
  const hides = ({ overflowX, textOverflow }) => ['hidden', 'clip'].includes(overflowX) || textOverflow === 'ellipsis';
  const textOf = (element) => (element.matches('input') ? (element.readOnly ? element.value : '') : element.textContent);
  return [...document.querySelectorAll('main *, [role=dialog] *')]
    .filter((element) => element.checkVisibility() && textOf(element) !== '' && hides(getComputedStyle(element)))
    .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
    .map(textOf);
})()`;
