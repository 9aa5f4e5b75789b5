import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed } from '../../support/lrs-client.ts';
import { newStatement } from '../../support/statement-client.ts';
import { agent } from '../../support/statements.ts';

/* The titles are the sentences of the service specification and of what fills its gaps. */

describe.each(administrations)('the status, on $name', ({ shared, open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;

  beforeAll(async () => {
    lrs = await open();
    holder = await keyPairHolder(lrs);
    token = await lrs.login();
  });
  afterAll(() => lrs?.close());

  const status = (query = '') => lrs.call('GET', '/admin/status', { token, query });

  it('LRS status information, for example the number of Statements.', async () => {
    expectJson(await status(), {
      'statement-count': 0,
      'actor-count': 0,
      'platform-frequency': {},
      'last-statement-stored': null,
      timeline: [],
    });
    await holder.post(
      newStatement({ actor: agent('a') }),
      newStatement({ actor: agent('b'), context: { platform: 'Moodle' } }),
      newStatement({ actor: agent('b') }),
    );
    const answer = await status();
    const day = String(Reflect.get(parsed(answer) as object, 'last-statement-stored')).slice(0, 10);
    expectJson(answer, {
      'statement-count': 3,
      'actor-count': 2,
      'platform-frequency': { none: 2, Moodle: 1 },
      'last-statement-stored': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      timeline: [{ stored: expect.stringMatching(new RegExp(`^${day}T00:00:00\\.0{9}Z$`)), count: 3 }],
    });
  });

  it('holds only what is asked for; include may be repeated', async () => {
    expect(Object.keys(parsed(await status('include=statement-count')) as object)).toEqual([
      'statement-count',
    ]);
    const two = parsed(await status('include=actor-count&include=timeline&timeline-unit=year')) as object;
    expect(Object.keys(two)).toEqual(['actor-count', 'timeline']);
  });

  it('an unknown parameter is ignored, a bad value is answered with 400', async () => {
    expect((await status('other=1')).status).toBe(200);
    for (const query of [
      'include=x',
      'include=',
      'timeline-unit=week',
      'timeline-since=yesterday',
      'timeline-until=1',
      'timeline-since=1960-01-01T00:00:00Z',
      'timeline-until=1969-12-31T23:59:59.999Z',
    ]) {
      expectError(await status(query), 400);
    }
    expect((await status('timeline-since=1970-01-01T00:00:00Z&timeline-unit=year')).status).toBe(200);
    expect(parsed(await status('timeline-since=1960-01-01T00:00:00Z'))).toMatchObject({
      details: [{ path: 'timeline-since', message: 'must not be before 1970-01-01T00:00:00Z' }],
    });
  });

  it('timeline-since and timeline-until bound the timeline', async () => {
    expectJson(
      await status(
        'include=timeline&timeline-until=2001-01-01T00:00:00Z&timeline-since=2000-01-01T00:00:00Z',
      ),
      {
        timeline: [],
      },
    );
  });

  it('All routes except `POST /admin/account/login` and `GET /admin/env` need `Authorization: Bearer <JWT>`.', async () => {
    expectError(await lrs.call('GET', '/admin/status'), 401);
  });

  it('counts what all processes store, at once', async () => {
    if (!shared) return;
    const other = await lrs.elsewhere();
    const theirs = await keyPairHolder(other);
    await Promise.all(
      [holder, theirs, holder, theirs].map((each) => each.post(newStatement({ actor: agent('many') }))),
    );
    expectJson(await status('include=statement-count&include=actor-count'), {
      'statement-count': 7,
      'actor-count': 3,
    });
  });

  it('tells Activities and Verbs too, where it is asked for them', async () => {
    const verb = { id: 'http://example.org/verbs/often', display: { en: 'often' } };
    const id = 'http://example.org/activities/often';
    const name = { en: 'Often' };
    const often = () => newStatement({ verb, object: { id, definition: { name } } });
    const count = 'include=activity-count';
    const { 'activity-count': before } = parsed(await status(count)) as { 'activity-count': number };
    await holder.post(...Array.from({ length: 9 }, often));
    expectJson(await status(count), { 'activity-count': before + 1 });
    expect(parsed(await status('include=verb-frequency&include=activity-frequency'))).toMatchObject({
      'verb-frequency': { 0: { ...verb, count: 9 } },
      'activity-frequency': { 0: { id, name, count: 9 } },
    });
  });

  it('tells how far what works behind the storing of statements has come, and whether it is switched off, where it is asked for', async () => {
    if (!shared) return;
    const other = await lrs.elsewhere({ LRS_ENABLE_REACTIONS: 'true' });
    const answer = await other.call('GET', '/admin/status', { token, query: 'include=consumers' });
    expectJson(answer, {
      consumers: [
        {
          name: 'reactions',
          kind: 'reactions',
          state: 'running',
          cursor: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
          lag: { statements: 0, seconds: 0 },
          error: null,
          attempts: 0,
          nextAttempt: null,
        },
      ],
    });
    const whileOff = await lrs.call('GET', '/admin/status', { token, query: 'include=consumers' });
    expect(parsed(whileOff)).toMatchObject({ consumers: [{ name: 'reactions', state: 'off' }] });
  });

  it('is not found, with a sentence that names the setting, where enableAdminStatus is off', async () => {
    if (!shared) return;
    const other = await lrs.elsewhere({ LRS_ENABLE_ADMIN_STATUS: 'false' });
    const answer = await other.call('GET', '/admin/status', { token });
    expectError(answer, 404);
    expect(answer.body.toString()).toContain('webserver.enableAdminStatus');
  });

  it('Reaction routes work only when Reactions are enabled.', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const answer = await lrs.call(method, '/admin/reaction', { token, body: {} });
      expectError(answer, 404);
      expect(answer.body.toString()).toContain('set lrs.enableReactions to true');
    }
  });
});
