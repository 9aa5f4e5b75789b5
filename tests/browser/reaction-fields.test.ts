import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { becomeDarkPhone, expectWidth } from '../support/page-state.ts';
import { ruleset } from '../support/reactions.ts';

const badge = (template: object = {}) => {
  const conditions = { quiz: { path: ['result', 'score', 'scaled'], op: 'gt', val: 0.8 } };
  const made = ruleset({ conditions });
  return { ...made, template: { ...template, ...plain } };
};

const plain = {
  actor: { mbox: 'mailto:lrs@example.org' },
  verb: { id: 'https://example.org/verbs/noticed' },
  object: { id: 'https://example.org/course' },
};

describeInBrowser(
  'fields of the editor of reactions',
  (stage) => {
    const button = (name: string) => stage.page.getByRole('button', { name, exact: true });
    /** Lists of suggestions have the same label as their field. */
    const label = (name: string, within: Locator | Page = stage.page) =>
      within.locator('input, textarea').and(within.getByLabel(name, { exact: true }));
    const json = () => label('The same as JSON');
    const written = async () => JSON.parse(await json().inputValue());
    const group = (name: string) => stage.page.getByRole('group', { name, exact: true });
    const focused = (place: Locator) => place.and(stage.page.locator(':focus')).waitFor();

    const create = async (title: string, made: object = ruleset()) =>
      (
        await stage.admin<{ readonly reactionId: string }>('POST', '/admin/reaction', {
          title,
          ruleset: made,
          active: false,
        })
      ).reactionId;
    const remove = (reactionId: string) => stage.admin('DELETE', '/admin/reaction', { reactionId });

    const speakGerman = async () => {
      await button('Language').click();
      await stage.page.getByRole('menuitem', { name: 'Deutsch' }).click();
    };

    /** Types a text in place of another one, character by character. */
    const type = async (field: Locator, text: string) => {
      await field.press('ControlOrMeta+a');
      await stage.page.keyboard.type(text);
    };

    const expectMistake = async (field: Locator, text: RegExp) => {
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      const id = await field.getAttribute('aria-describedby');
      expect(await stage.page.locator(`[id="${id}"]`).textContent()).toMatch(text);
    };

    it('take numbers as they are typed, and keep field, type and focus while a text is none', async () => {
      await stage.signIn('/reactions?edit=new');
      await json().fill(JSON.stringify(badge()));
      const value = label('Value', group('Condition quiz'));
      const val = async () => (await written()).conditions.quiz.val;
      await value.fill('');
      await expectMistake(value, /^Enter a number\.$/);
      await focused(value);
      expect(await label('Type').count()).toBe(0);
      await stage.page.getByText('The preview waits until every number is entered.').waitFor();
      await stage.expectAccessible();
      await button('Save').click();
      await focused(value);
      expect(await button('Save').isVisible()).toBe(true);
      await type(value, '-');
      await expectMistake(value, /^Enter a number\.$/);
      await stage.page.keyboard.type('3');
      expect(await value.getAttribute('aria-invalid')).toBe(null);
      expect(await val()).toBe(-3);
      await type(value, '1e');
      await expectMistake(value, /^Enter a number\.$/);
      // The JSON can be changed meanwhile, and the number is still asked for.
      await json().fill((await json().inputValue()).replace('"gt"', '"gte"'));
      await expectMistake(value, /^Enter a number\.$/);
      expect(await value.inputValue()).toBe('1e');
      await value.press('End');
      await stage.page.keyboard.type('3');
      expect(await val()).toBe(1000);
      expect(await value.inputValue()).toBe('1e3');
      await type(value, '0,8');
      expect(await val()).toBe(0.8);
      await value.press('ArrowUp');
      expect(await val()).toBe(0.9);
      for (const ambiguous of ['1.000,5', '1,000', '12 monkeys']) {
        await type(value, ambiguous);
        await expectMistake(value, /^Enter a number, such as 0\.8 or 1000/);
        expect(await value.inputValue()).toBe(ambiguous);
      }
      await type(value, '12');
      expect(await val()).toBe(12);
      await stage.page.getByText('It would not have fired.').first().waitFor();
    });

    it('take numbers in the template in the same way, in German', async () => {
      await stage.signIn('/reactions?edit=new');
      await json().fill(JSON.stringify(badge({ result: { score: { scaled: 0.5 } } })));
      await speakGerman();
      const scaled = label('Wert von result.score.scaled');
      const german = label('Dasselbe als JSON');
      const val = async () => JSON.parse(await german.inputValue()).template.result.score.scaled;
      await scaled.fill('');
      await expectMistake(scaled, /^Geben Sie eine Zahl ein\.$/);
      await focused(scaled);
      expect(await label('Art von result.score.scaled').inputValue()).toBe('Zahl');
      await button('Speichern').click();
      await focused(scaled);
      await becomeDarkPhone(stage.page);
      await stage.expectAccessible();
      await expectWidth(stage.page, 360);
      await type(scaled, '1.000,5');
      await expectMistake(scaled, /ohne Tausendertrennzeichen/);
      await type(scaled, '-0,25');
      expect(await val()).toBe(-0.25);
      await german.fill((await german.inputValue()).replace('-0.25', '0.75'));
      expect(await scaled.inputValue()).toBe('0.75');
    });

    it('say at Save that the title is taken, lead to it, and keep the focus', async () => {
      const id = await create('Taken');
      await stage.signIn('/reactions?edit=new');
      await label('Title').fill('Taken');
      await button('Add a shared value').scrollIntoViewIfNeeded();
      await button('Save').focus();
      await stage.page.keyboard.press('Enter');
      const refusal = stage.page.getByRole('alert').filter({ hasText: 'The reaction was not saved' });
      await refusal.getByText('Another reaction has this title. Choose another one.').waitFor();
      stage.expectErrors(/status of 400/);
      await stage.page.locator(':focus').filter({ has: refusal }).waitFor();
      await stage.expectAccessible();
      await stage.page.keyboard.press('Tab');
      await focused(button('Go to the title'));
      await stage.page.keyboard.press('Enter');
      await focused(label('Title'));
      await expect.poll(async () => (await label('Title').boundingBox())?.y).toBeGreaterThan(0);
      await expectMistake(label('Title'), /^Another reaction has this title/);
      await becomeDarkPhone(stage.page);
      await stage.expectAccessible();
      await expectWidth(stage.page, 360);
      await remove(id);
    });

    it('keep the focus when saving gets no answer', async () => {
      await stage.signIn('/reactions?edit=new');
      await label('Title').fill('Lost');
      await stage.page.route('**/admin/reaction', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await button('Save').focus();
      await stage.page.keyboard.press('Enter');
      const failure = stage.page.getByRole('alert').filter({ hasText: 'The reaction was not saved' });
      stage.expectErrors(/ERR_FAILED/);
      await stage.page.locator(':focus').filter({ has: failure }).waitFor();
    });
  },
  { LRS_ENABLE_REACTIONS: 'true' },
);
