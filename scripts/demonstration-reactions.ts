import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../lib/json/types.ts';
import type { ShownReaction } from '../lib/reactions/service-types.ts';
import type { BuiltServer } from './built-server.ts';

/** Invented reactions to the statements of the demonstration: what the screenshots show. */

const passed = 'http://adlnet.gov/expapi/verbs/passed';
const failed = 'http://adlnet.gov/expapi/verbs/failed';

const isAbout = (verb: string, course: string): JsonObject => ({
  and: [
    { path: ['verb', 'id'], op: 'eq', val: verb },
    { path: ['object', 'id'], op: 'eq', val: `https://lms.example.org/courses/${course}` },
  ],
});

const made = (condition: string, verb: string, more: JsonObject = {}): JsonObject => ({
  actor: { $templatePath: [condition, 'actor'] },
  verb: { id: `https://lms.example.org/verbs/${verb}`, display: { en: verb.replace('-', ' ') } },
  object: { $templatePath: [condition, 'object'] },
  ...more,
});

const identityPaths = [['actor', 'mbox']];

const reactions = [
  {
    title: 'Certificate for the forklift',
    active: true,
    ruleset: {
      identityPaths,
      conditions: { course: isAbout(passed, 'forklift') },
      template: made('course', 'was-certified'),
    },
  },
  {
    title: 'Praise for 80% and more',
    active: true,
    ruleset: {
      identityPaths,
      conditions: { scored: { path: ['result', 'score', 'scaled'], op: 'gte', val: 0.8 } },
      template: made('scored', 'was-praised'),
    },
  },
  {
    title: 'Help after a failed first aid course',
    active: true,
    ruleset: {
      identityPaths,
      conditions: { course: isAbout(failed, 'first-aid') },
      template: made('course', 'needs-help', {
        result: { response: { $templatePath: ['course', 'result', 'response'] } },
      }),
    },
  },
  {
    title: 'Welcome gift',
    active: false,
    ruleset: {
      identityPaths,
      conditions: { course: isAbout(passed, 'welcome') },
      template: made('course', 'received-gift'),
    },
  },
];

/** To be called before the statements are sent: reactions look at what is stored from now on. */
export async function createReactions(server: BuiltServer, token: string): Promise<void> {
  for (const reaction of reactions)
    await call(server, token, { method: 'POST', body: JSON.stringify(reaction) });
}

/** Resolves when one of them has fired and one has failed. */
export async function waitForReactions(server: BuiltServer, token: string): Promise<void> {
  for (;;) {
    const answer: { readonly reactions: readonly ShownReaction[] } = JSON.parse(await call(server, token));
    const shown = answer.reactions;
    if (shown.some(({ fired }) => fired > 0) && shown.some(({ error }) => error !== null)) return;
    await wait(200);
  }
}

async function call({ url }: BuiltServer, token: string, init: RequestInit = {}): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/admin/reaction`, { ...init, headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/admin/reaction was answered ${answer.status}: ${text}`);
  return text;
}
