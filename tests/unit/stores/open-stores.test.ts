import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseUnusableError } from '../../../lib/db/unusable.ts';
import { UnavailableError } from '../../../lib/errors.ts';
import { createLogger } from '../../../lib/logger.ts';
import { OpenStores } from '../../../lib/stores/open-stores.ts';
import type { Store } from '../../../lib/stores/types.ts';

interface Opened {
  readonly name: string;
  close(): Promise<void>;
}

const store = (name: string): Store => ({ name, server: 'main', state: 'open', settings: {}, created: 0 });

let opened: string[];
let closed: string[];
let suspected: string[];
let stopped: string[];
let time: number;
let broken: boolean;
let stores: OpenStores<Opened>;

beforeEach(() => {
  opened = [];
  closed = [];
  suspected = [];
  stopped = [];
  time = 0;
  broken = false;
  stores = new OpenStores<Opened>({
    open: async ({ name }) => {
      if (broken) throw new Error('no database');
      opened.push(name);
      return {
        name,
        close: async () => {
          closed.push(name);
        },
      };
    },
    stopBackground: async ({ name }) => {
      stopped.push(name);
    },
    suspect: ({ name }) => suspected.push(name),
    maxOpen: 2,
    idleTimeout: 1000,
    logger: createLogger('OFF'),
    now: () => time,
  });
});

describe('open stores', () => {
  it('are opened once, however many use them', async () => {
    const uses = await Promise.all([stores.enter(store('a')), stores.enter(store('a'))]);
    expect([opened, uses.map((use) => use.opened.name)]).toEqual([['a'], ['a', 'a']]);
  });

  it('give way to others, the one that has been idle for the longest first', async () => {
    for (const name of ['a', 'b', 'a', 'c']) (await stores.enter(store(name))).leave();
    await stores.closed();
    expect([opened, closed]).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it('are not closed while somebody uses them, and there is no room for others then', async () => {
    const uses = [await stores.enter(store('a')), await stores.enter(store('b'))];
    await expect(stores.enter(store('c'))).rejects.toThrow('LRS_STORES_MAX_OPEN');
    uses[1]?.leave();
    await stores.enter(store('c'));
    await stores.closed();
    expect(closed).toEqual(['b']);
  });

  it('that are dismissed end when their last user leaves, and are opened anew by the next one', async () => {
    const first = await stores.enter(store('a'));
    stores.dismiss('a');
    const second = await stores.enter(store('a'));
    expect([opened, closed]).toEqual([['a', 'a'], []]);
    first.leave();
    first.leave();
    await stores.closed();
    expect(closed).toEqual(['a']);
    second.leave();
    expect(stores.has('a')).toBe(true);
  });

  it('are closed when nobody has used them for a while', async () => {
    (await stores.enter(store('a'))).leave();
    time = 900;
    (await stores.enter(store('b'))).leave();
    time = 1000;
    stores.dismissIdle();
    await stores.closed();
    expect([closed, stores.list().map(({ name }) => name)]).toEqual([['a'], ['b']]);
  });

  it('that could not be opened are tried again by the next request, and take no room', async () => {
    broken = true;
    for (const name of ['a', 'b', 'c'])
      await expect(stores.enter(store(name))).rejects.toThrow("can't be used");
    broken = false;
    (await stores.enter(store('a'))).leave();
    expect(stores.list()).toHaveLength(1);
  });

  it('of a database server that does not answer leave the others room to be opened', async () => {
    const silent = new OpenStores<Opened>({
      open: ({ name, server }) =>
        server === 'main' ? Promise.resolve({ name, close: async () => {} }) : new Promise(() => {}),
      stopBackground: async () => {},
      suspect: () => {},
      maxOpen: 10,
      idleTimeout: 1000,
      logger: createLogger('OFF'),
    });
    const away = (name: string): Store => ({ ...store(name), server: 'second' });
    for (const name of ['a', 'b', 'c', 'd']) void silent.enter(away(name));
    await expect(silent.enter(away('e'))).rejects.toThrow('being opened');
    expect((await silent.enter(store('f'))).opened.name).toBe('f');
  });

  it('are checked when a request suspects them, unless they have been closed since', async () => {
    const first = await stores.enter(store('a'));
    first.suspect();
    stores.dismiss('a');
    (await stores.enter(store('a'))).leave();
    first.suspect();
    first.leave();
    expect(suspected).toEqual(['a']);
    stores.suspect(({ name }) => name === 'a');
    await expect.poll(() => suspected).toEqual(['a', 'a']);
  });

  it('are closed at once when they are revoked, although somebody uses them, and each only once', async () => {
    const first = await stores.enter(store('a'));
    stores.dismiss('a');
    const second = await stores.enter(store('a'));
    expect(closed).toEqual([]);
    await stores.revoke('a');
    expect(closed).toEqual(['a', 'a']);
    const third = await stores.enter(store('a'));
    first.leave();
    second.leave();
    await stores.closed();
    expect([closed, stores.has('a')]).toEqual([['a', 'a'], true]);
    third.leave();
  });

  it('begin no change any more once their writes are to end, which happens when those that have begun are made', async () => {
    const [reader, writer] = [await stores.enter(store('a')), await stores.enter(store('a'))];
    writer.beginWrite();
    writer.beginWrite();
    let hasEnded = false;
    const ending = stores.endWrites('a').then(() => {
      hasEnded = true;
    });
    expect(() => reader.beginWrite()).toThrow('The store a is read-only or closed at the moment.');
    await setImmediate();
    expect([stopped, hasEnded, closed]).toEqual([['a'], false, []]);
    writer.leave();
    await ending;
    expect(closed).toEqual([]);
    // Whoever opens it anew does not depend on those who still use it.
    (await stores.enter(store('a'))).beginWrite();
    reader.leave();
    await stores.closed();
    expect([closed, stopped]).toEqual([['a'], ['a']]);
  });

  it('begin no change any more when they were dismissed before, or are revoked', async () => {
    const first = await stores.enter(store('a'));
    stores.dismiss('a');
    first.beginWrite();
    const second = await stores.enter(store('a'));
    void stores.endWrites('a');
    for (const use of [first, second]) expect(() => use.beginWrite()).toThrow('read-only or closed');
    const third = await stores.enter(store('b'));
    await stores.revoke('b');
    expect(() => third.beginWrite()).toThrow('read-only or closed');
  });

  it('that nobody uses are closed before their writes count as ended', async () => {
    (await stores.enter(store('a'))).leave();
    await stores.endWrites('a');
    expect(closed).toEqual(['a']);
  });

  it('that are being opened when they are revoked are closed before that resolves', async () => {
    const opening = stores.enter(store('a'));
    await stores.revoke('a');
    expect([opened, closed]).toEqual([['a'], ['a']]);
    await opening;
  });

  it('whose database cannot be used are unavailable, and only the log says why', async () => {
    const cause = new DatabaseUnusableError('The password of the user lrs is wrong.');
    const unusable = new OpenStores<Opened>({
      open: () => Promise.reject(cause),
      stopBackground: async () => {},
      suspect: () => {},
      maxOpen: 2,
      idleTimeout: 1000,
      logger: createLogger('OFF'),
    });
    const error = await unusable.enter(store('a')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ cause, message: expect.not.stringContaining('password') });
  });
});
