import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { becomeDarkPhone, expectWidth } from '../support/page-state.ts';
import { ruleset } from '../support/reactions.ts';
import { reactionsOn } from '../support/reactions-on-stage.ts';

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

    const { create, remove } = reactionsOn(stage);

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
      await stage.page.getByText('The preview waits until every value is entered.').waitFor();
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
      // In a window as long as the page, the bar with Save covers no part of a field.
      await stage.page.setViewportSize({ width: 360, height: 4000 });
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

    it('with mistakes are marked and described, in German with what to do', async () => {
      await stage.signIn('/reactions?edit=new');
      await speakGerman();
      stage.expectErrors(/status of 400/);
      const conditions = {
        quiz: { path: ['result', 'score', 'scaled'], op: 'gt', val: 'viel' },
        other: { path: ['nowhere'], op: 'eqq', val: 1 },
      };
      const template = { ...plain, verb: { id: 'praised' } };
      await label('Dasselbe als JSON').fill(
        JSON.stringify(ruleset({ conditions, identityPaths: [['actor']], template })),
      );
      const quiz = group('Bedingung quiz');
      await expectMistake(
        label('Wert', quiz),
        /result\.score\.scaled hat Werte der Art „Zahl“\. Geben Sie einen solchen Wert ein/,
      );
      expect(await label('Wert', quiz).getAttribute('aria-describedby')).not.toContain('undefined');
      const other = group('Bedingung other');
      await expectMistake(label('Pfad', other), /parent\[0\]\.id/);
      await expectMistake(
        label('Vergleich', other),
        /Diesen Vergleich gibt es nicht\. Wählen Sie einen.*: ist, /,
      );
      await expectMistake(
        label('Pfad eines gemeinsamen Werts'),
        /Der Pfad führt zu keinem Wert\. Wählen Sie/,
      );
      // What the server says in English is out of the way.
      const words = quiz.getByText('must be a number, as the value at the path is');
      expect(await words.isVisible()).toBe(false);
      await quiz.getByText('Technische Einzelheit').click();
      await words.waitFor();
      await stage.expectAccessible();
      await label('Dasselbe als JSON').fill(JSON.stringify(ruleset({ template })));
      await expectMistake(label('Wert von verb.id'), /kein gültiges Statement/);
      await becomeDarkPhone(stage.page);
      await stage.expectAccessible();
      await expectWidth(stage.page, 360);
    });

    it('take the type of a path that is chosen, and ask for a value that does not convert', async () => {
      await stage.signIn('/reactions?edit=new');
      const clause = { path: ['verb', 'id'], op: 'eq', val: '0.5' };
      await json().fill(JSON.stringify(ruleset({ conditions: { done: clause } })));
      const done = group('Condition done');
      const val = async () => (await written()).conditions.done.val;
      await label('Path', done).fill('result.score.scaled');
      await expect.poll(val).toBe(0.5);
      await label('Path', done).fill('result.success');
      await expectMistake(label('Value', done), /^Choose true or false\.$/);
      expect(await label('Type', done).count()).toBe(0);
      await button('Save').click();
      await focused(label('Value', done));
      await label('Value', done).click();
      await stage.page.getByRole('option', { name: 'false' }).click();
      await expect.poll(val).toBe(false);
      await label('Path', done).fill('verb.id');
      await expect.poll(val).toBe('false');
    });

    it('name a condition while it is typed, and say why a name is refused', async () => {
      await stage.signIn('/reactions?edit=new');
      await button('Add a condition').click();
      const name = () => label('Name of the condition').last();
      await focused(name());
      await name().fill('done');
      await expectMistake(name(), /^Another condition has this name\.$/);
      await stage.page.keyboard.press('Tab');
      await expectMistake(name(), /^Another condition has this name\.$/);
      expect(Object.keys((await written()).conditions)).toEqual(['done', 'condition2']);
      await button('Save').click();
      await focused(name());
      await type(name(), 'later');
      expect(Object.keys((await written()).conditions)).toEqual(['done', 'later']);
      await focused(name());
      await name().fill('');
      await expectMistake(name(), /^A condition needs a name\.$/);
      await stage.expectAccessible();
    });

    it('do not hide that combinations fire more often than their triggers', async () => {
      const quiz = {
        actor: { mbox: 'mailto:cem@example.org' },
        verb: { id: 'http://adlnet.gov/expapi/verbs/failed' },
        object: { id: 'https://example.org/quiz' },
      };
      for (let attempt = 0; attempt < 5; attempt += 1) await stage.xapi('POST', '/xapi/statements', quiz);
      await stage.signIn('/reactions?edit=new');
      await stage.page.setViewportSize({ width: 1400, height: 800 });
      await button('Alert after the third failed attempt').click();
      await stage.page.getByText(/^The fourth failed attempt makes this fire three more times/).waitFor();
      await stage.page
        .getByText(/10 firings from 3 triggers: a trigger fires once for each combination/)
        .waitFor();
      expect(await stage.page.getByText('It would have fired 10 times.', { exact: true }).isVisible()).toBe(
        true,
      );
      await stage.expectAccessible();
      await button('Alert after three attempts that have numbers').click();
      await expect.poll(async () => (await written()).conditions.third.and).toHaveLength(3);
      await stage.page.getByText('It would not have fired.', { exact: true }).waitFor();
      await json().fill('[]');
      await stage.page.getByText('The ruleset has to be a JSON object, in braces: { … }.').waitFor();
      expect(await button('Try again').count()).toBe(0);
    });

    it('are reached first where only another ruleset helps, and seen before a deleted reaction is restored', async () => {
      const verb = 'https://example.org/verbs/broke';
      const conditions = { seen: { path: ['verb', 'id'], op: 'eq', val: verb } };
      const template = { ...plain, result: { $templatePath: ['seen', 'result'] } };
      const id = await create('Broken', ruleset({ conditions, template }));
      await stage.admin('PUT', '/admin/reaction', { reactionId: id, active: true });
      await stage.xapi('POST', '/xapi/statements', { ...plain, verb: { id: verb } });
      await stage.server.settle();
      await stage.signIn(`/reactions?show=${id}`);
      const details = stage.page.getByRole('dialog', { name: 'Reaction' });
      await details.getByText('Resuming repairs nothing: correct the ruleset first.').waitFor();
      const buttons = await details.getByRole('button').allTextContents();
      expect(buttons.indexOf('Edit the ruleset')).toBeLessThan(buttons.indexOf('Clear error and resume'));
      await stage.expectAccessible();
      await details.getByRole('button', { name: 'Edit the ruleset' }).click();
      await label('Name of the condition').waitFor();
      await remove(id);
      await stage.open('/reactions?deleted=true');
      await button('Show the ruleset: Broken').click();
      await stage.page.getByRole('dialog', { name: 'Broken' }).getByText('identityPaths').waitFor();
      await stage.expectAccessible();
    });
  },
  { LRS_ENABLE_REACTIONS: 'true' },
);
