import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { ruleset } from '../support/reactions.ts';
import { reactionsOn } from '../support/reactions-on-stage.ts';

const greedy = 'https://example.org/verbs/greedy';
const plain = {
  actor: { mbox: 'mailto:lrs@example.org' },
  object: { id: 'https://example.org/course' },
};

describeInBrowser(
  'reactions that are managed by the keyboard',
  (stage) => {
    const button = (name: string, within: Pick<Locator, 'getByRole'> = stage.page) =>
      within.getByRole('button', { name, exact: true });
    const heading = (name: string) => stage.page.getByRole('heading', { level: 1, name });
    const focused = (place: Locator) => place.and(stage.page.locator(':focus')).waitFor();
    const press = async (place: Locator) => {
      await place.focus();
      await place.press('Enter');
    };
    const active = reactionsOn(stage, { active: true });
    const paused = reactionsOn(stage);

    it('keep the focus when they are paused and resumed', async () => {
      const id = await active.create('Steady');
      await stage.signIn('/reactions');
      await press(button('Pause: Steady'));
      await focused(button('Resume: Steady'));
      await stage.page.keyboard.press('Enter');
      await focused(button('Pause: Steady'));
      await active.remove(id);
    });

    it('keep the focus in their details when a replay is started', async () => {
      const id = await active.create('Repeated');
      await stage.signIn(`/reactions?show=${id}`);
      await press(button('Start the replay'));
      await stage.page.getByText(/A replay is running|The last replay has ended/).waitFor();
      await focused(button('Start the replay'));
      await active.remove(id);
    });

    it('give the focus to the next one when they are deleted, and to the heading when none is left', async () => {
      for (const title of ['First', 'Second', 'Third']) await paused.create(title);
      await stage.signIn('/reactions');
      const titles = () => stage.page.locator('tbody tr [data-row]').allTextContents();
      await button('First').waitFor();
      const [one = '', two = '', three = ''] = await titles();
      const confirm = button('Delete', stage.page.getByRole('dialog', { name: 'Delete this reaction?' }));
      await press(button(`Delete: ${one}`));
      await press(confirm);
      await focused(button(two));
      await press(button(`Delete: ${three}`));
      await press(confirm);
      await focused(button(two));
      // In the details.
      await stage.page.keyboard.press('Enter');
      await press(button('Delete', stage.page.getByRole('dialog', { name: 'Reaction' })));
      await press(confirm);
      await focused(heading('Reactions'));
      expect(await titles()).toEqual([]);
    });

    it('give the focus to the heading of the deleted ones and back, and to the next one when they are restored', async () => {
      const ids = [await paused.create('Gone'), await paused.create('Lost')];
      for (const id of ids) await paused.remove(id);
      await stage.signIn('/reactions');
      await press(button('Deleted reactions'));
      await focused(heading('Deleted reactions'));
      await press(button('Restore: Lost'));
      await focused(button('Restore: Gone'));
      await press(button('All reactions'));
      await focused(heading('Reactions'));
      await button('Lost').waitFor();
      await paused.remove(ids[1] ?? '');
    });

    it('that a limit has stopped are edited first, with a hint and a message that ends with a sentence', async () => {
      const seen = { path: ['verb', 'id'], op: 'eq', val: greedy };
      const later = { path: ['stored'], op: 'gte', ref: { condition: 'one', path: ['stored'] } };
      const template = { ...plain, verb: { id: 'https://example.org/verbs/noticed' } };
      const conditions = { one: seen, two: { and: [seen, later] } };
      const id = await active.create('Greedy', ruleset({ conditions, template }));
      const statement = { ...plain, verb: { id: greedy } };
      await stage.xapi('POST', '/xapi/statements', Array(12).fill(statement));
      await stage.server.settle();
      await stage.signIn('/reactions');
      const row = stage.page.getByRole('row', { name: /^Greedy/ });
      await row.getByText('Too many statements have to be read to find those that match.').waitFor();
      await row.getByText(/lrs\.reactionMaxCandidates\)\.$/).waitFor();
      await row.getByText(/change the ruleset or have the limit raised first/).waitFor();
      const buttons = await row.getByRole('button').allTextContents();
      expect(buttons.indexOf('Edit the ruleset')).toBeLessThan(buttons.indexOf('Clear error and resume'));
      await stage.expectAccessible();
      await active.remove(id);
    });

    it('offer for another replay the time from which the last one began', async () => {
      const id = await active.create('Again');
      await stage.admin('POST', '/admin/reaction/replay', { reactionId: id, from: '2020-01-01T12:00:00Z' });
      await stage.server.settle();
      await stage.signIn(`/reactions?show=${id}`);
      const from = stage.page.getByLabel('Statements stored after', { exact: true });
      await expect.poll(() => from.inputValue()).toMatch(/2020/);
      await active.remove(id);
    });

    it('have buttons of one height in their details', async () => {
      const id = await active.create('Even');
      await stage.signIn(`/reactions?show=${id}`);
      const details = stage.page.getByRole('dialog', { name: 'Reaction' });
      await button('Edit', details).waitFor();
      const boxes = ['Pause: Even', 'Edit', 'Delete'].map((name) => button(name, details).boundingBox());
      const heights = (await Promise.all(boxes)).map((box) => box?.height);
      expect(heights).toEqual(Array(3).fill(heights[1]));
      await active.remove(id);
    });
  },
  { LRS_ENABLE_REACTIONS: 'true', LRS_REACTION_MAX_CANDIDATES: '10' },
);
