import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { expectWidth } from '../support/page-state.ts';

const ann = { mbox: 'mailto:ann@example.org' };
const course = 'https://example.org/courses/first';
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeInBrowser('documents on the screen', (stage) => {
  let filled = '';

  /** Stores a document under the xAPI, whatever there is. */
  async function put(
    resource: string,
    query: Record<string, string>,
    type: string,
    body: string | Buffer,
  ): Promise<void> {
    const { apiKey, secretKey } = await stage.keyPair();
    const response = await fetch(`${stage.server.url}/xapi/${resource}?${new URLSearchParams(query)}`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${btoa(`${apiKey}:${secretKey}`)}`,
        'x-experience-api-version': '2.0.0',
        'content-type': type,
        'if-none-match': '*',
      },
      body,
    });
    expect(response.status).toBe(204);
  }

  const state = { activityId: course, agent: JSON.stringify(ann), stateId: 'bookmark' };

  beforeEach(async () => {
    if (filled === stage.server.url) return;
    filled = stage.server.url;
    await put('activities/state', state, 'application/json', '{"page":3.10,"notes":["begun"]}');
    await put('activities/state', { ...state, stateId: 'suspend' }, 'text/plain', 'slide=4');
    await put('agents/profile', { agent: state.agent, profileId: 'photo' }, 'image/png', pixel);
    await put('agents/profile', { agent: state.agent, profileId: 'likes' }, 'application/json', '{}');
    await put(
      'activities/profile',
      { activityId: course, profileId: 'key' },
      'application/x-key',
      Buffer.from([0, 255]),
    );
  });

  it('lists all, and those of a kind, of an Agent, of an Activity or with a text', async () => {
    await stage.signIn('/documents');
    const { page } = stage;
    const ids = page.getByRole('table', { name: 'Documents' }).getByRole('link');
    await page.getByText('5 entries on this page').waitFor();
    await stage.expectAccessible();
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Agent profile' }).click();
    await page.getByText('2 entries on this page').waitFor();
    await expect.poll(async () => (await ids.allTextContents()).toSorted()).toEqual(['likes', 'photo']);
    await page.getByLabel('Search in ids').fill('LIKE');
    await page.getByText('1 entry on this page').waitFor();
    await expect.poll(() => page.url()).toMatch(/kind=agent-profile&search=LIKE$/);
    await stage.open('/documents');
    await page.getByText('5 entries on this page').waitFor();
    await page.getByRole('button', { name: 'Of one Agent or Activity' }).click();
    await page.getByRole('combobox', { name: 'Mail address' }).fill('ann@example.org');
    await page.getByRole('combobox', { name: 'Activity' }).fill(course);
    await page.getByRole('button', { name: 'Show these documents' }).click();
    await page.getByText('2 entries on this page').waitFor();
    await stage.expectAccessible();
    await page.getByRole('button', { name: 'Of everybody' }).click();
    await page.getByText('5 entries on this page').waitFor();
  });

  it('shows JSON, text and pictures, and lets the browser save the rest', async () => {
    await stage.signIn('/documents');
    const { page } = stage;
    const details = page.getByRole('dialog');
    const open = async (id: string) => {
      await page.getByRole('link', { name: id, exact: true }).click();
      await details.getByRole('table', { name: 'About this document' }).waitFor();
    };
    await open('bookmark');
    await details.getByText('3.10').waitFor();
    const facts = details.getByRole('table', { name: 'About this document' });
    await expect
      .poll(() => facts.textContent())
      .toMatch(
        /Activityhttps:\/\/example.org\/courses\/first.*Agentann@example.org.*application\/json.*31 byte.*ETag"/,
      );
    await stage.expectAccessible();
    await page.goBack();
    await open('suspend');
    await details.getByText('slide=4').waitFor();
    await page.keyboard.press('Escape');
    await open('photo');
    await expect
      .poll(() =>
        details
          .getByRole('img', { name: 'photo' })
          .evaluate((img) => 'naturalWidth' in img && img.naturalWidth),
      )
      .toBe(1);
    await page.keyboard.press('Escape');
    await open('key');
    await details.getByText('A page cannot show this content.').waitFor();
    const download = page.waitForEvent('download');
    await details.getByRole('button', { name: 'Download' }).click();
    expect([...(await readFile(await (await download).path()))]).toEqual([0, 255]);
  });

  it('replaces JSON, and not what somebody else has stored meanwhile unless that is wanted', async () => {
    stage.expectErrors(/412/);
    await stage.signIn(`/documents?${new URLSearchParams({ search: 'bookmark' })}`);
    const { page } = stage;
    await page.getByRole('link', { name: 'bookmark' }).click();
    const details = page.getByRole('dialog');
    await details.getByRole('button', { name: 'Edit' }).click();
    const editor = details.getByLabel('New content (JSON)');
    await expect
      .poll(() => editor.inputValue())
      .toBe('{\n  "page": 3.10,\n  "notes": [\n    "begun"\n  ]\n}');
    await editor.fill('{"page":');
    await details.getByText('This is not valid JSON.').waitFor();
    await expect.poll(() => details.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await editor.fill('{"page":4}');
    await stage.xapi('POST', `/xapi/activities/state?${new URLSearchParams(state)}`, { page: 'theirs' });
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('The document has changed meanwhile').waitFor();
    await stage.expectAccessible();
    await details.getByRole('button', { name: 'Show what is stored now' }).click();
    await details.getByText('"page": "theirs"').waitFor();
    expect(await editor.inputValue()).toBe('{"page":4}');
    await stage.expectAccessible();
    await details.getByRole('button', { name: 'Replace what is stored now' }).click();
    await page.getByText('The document is stored.').waitFor();
    await details.getByRole('group', { name: 'Content' }).getByText('4').waitFor();
    expect(await stage.xapi('GET', `/xapi/activities/state?${new URLSearchParams(state)}`)).toEqual({
      page: 4,
    });
  });

  it('deletes what was looked at, after a question, and not what it has become', async () => {
    stage.expectErrors(/412/);
    const likes = { agent: state.agent, profileId: 'likes' };
    await stage.signIn('/documents?search=likes');
    const { page } = stage;
    await page.getByRole('link', { name: 'likes' }).click();
    const details = page.getByRole('dialog', { name: 'Agent profile: likes' });
    const question = page.getByRole('dialog', { name: 'Delete this document?' });
    await details.getByRole('button', { name: 'Delete' }).click();
    await stage.expectAccessible();
    await stage.xapi('POST', `/xapi/agents/profile?${new URLSearchParams(likes)}`, { colour: 'red' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText('Nothing is deleted.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await details.getByText('"red"').waitFor();
    await details.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No entry matches the search “likes”.').waitFor();
    expect(
      await stage.xapi('GET', `/xapi/agents/profile?${new URLSearchParams({ agent: state.agent })}`),
    ).toEqual(['photo']);
  });

  it('says which scope the chosen key pair lacks', async () => {
    await stage.keyPair();
    const { 'api-key': apiKey } = await stage.admin<Record<'api-key', string>>('POST', '/admin/creds', {
      scopes: ['state/read'],
      label: randomUUID(),
    });
    await stage.signIn('/documents?search=suspend');
    const { page } = stage;
    await page.evaluate(`localStorage.setItem('serverless-lrs.api-key', ${JSON.stringify(apiKey)})`);
    await page.reload();
    await page.getByRole('link', { name: 'suspend' }).click();
    const details = page.getByRole('dialog');
    await details.getByText('slide=4').waitFor();
    await details.getByText('It needs one of these scopes: all, state.').waitFor();
    expect(await details.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await stage.expectAccessible();
    await stage.open('/documents');
    await page.getByRole('link', { name: 'photo' }).click();
    await details
      .getByText('It needs one of these scopes: all, all/read, agents_profile, agents_profile/read, profile.')
      .waitFor();
  });

  it('fits a phone, in the dark', async () => {
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.emulateMedia({ colorScheme: 'dark' });
    await stage.signIn('/documents?search=bookmark');
    const { page } = stage;
    await page.getByText('1 entry on this page').waitFor();
    await expectWidth(page, 360);
    await stage.expectAccessible();
    await page.getByRole('link', { name: 'bookmark' }).click();
    await page.getByRole('dialog').getByRole('group', { name: 'Content' }).waitFor();
    await expectWidth(page, 360);
    await stage.expectAccessible();
  });
});
