import { describe, expect, it } from 'vitest';
import { PostgresDialect } from '../../../../../lib/db/dialects/postgres/dialect.ts';
import { DatabaseHosts, parseHosts } from '../../../../../lib/db/dialects/server/hosts.ts';
import { NotPrimaryError, SilentHostsError } from '../../../../../lib/db/dialects/server/network-error.ts';

const dialect = new PostgresDialect();
const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

describe('the setting dbHost', () => {
  it.each([
    ['db.example', [['db.example', 5432]]],
    ['::1', [['::1', 5432]]],
    ['/run/postgresql', [['/run/postgresql', 5432]]],
    ['pg1:6432', [['pg1', 6432]]],
    [
      'pg1, 10.0.0.2:5433,[2001:db8::1]:5434,::1',
      [
        ['pg1', 5432],
        ['10.0.0.2', 5433],
        ['2001:db8::1', 5434],
        ['::1', 5432],
      ],
    ],
  ])('names hosts with their ports: %s', (text, addresses) => {
    expect(parseHosts(text, 5432)?.map(({ host, port }) => [host, port])).toEqual(addresses);
  });

  it.each(['', 'a,', 'a:b', 'a:1:2', '[::1', 'a:65536', 'a:0'])('can not be %j', (text) => {
    expect(parseHosts(text, 5432)).toBeUndefined();
  });
});

describe('the search for the primary', () => {
  it('tries the hosts in order, the one in use first, and remembers which one it was', async () => {
    const hosts = new DatabaseHosts('a,b,c', 1);
    const tried: string[] = [];
    const open = (primary: string) => async (address: { readonly host: string }) => {
      tried.push(address.host);
      if (address.host === 'a') throw refused;
      if (address.host !== primary) throw new NotPrimaryError();
      return address.host;
    };
    expect(await hosts.search(open('c'), { patience: 10_000, dialect })).toBe('c');
    expect(await hosts.search(open('c'), { patience: 10_000, dialect })).toBe('c');
    expect(await hosts.search(open('b'), { patience: 10_000, dialect })).toBe('b');
    expect(tried).toEqual(['a', 'b', 'c', 'c', 'c', 'a', 'b']);
    expect(hosts.current).toEqual({ host: 'b', port: 1 });
  });

  it('has tried every host when its time is over, and fails as the last one did', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const tried = new Set<string>();
    const search = hosts.search(
      async ({ host }) => {
        tried.add(host);
        throw host === 'a' ? new NotPrimaryError() : refused;
      },
      { patience: 1, dialect },
    );
    await expect(search).rejects.toThrow(Error);
    expect([...tried]).toEqual(['a', 'b']);
  });

  it('tells which hosts it has tried when none of them answers', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const late = new Error('timeout expired');
    const search = hosts.search(({ host }) => Promise.reject(host === 'a' ? refused : late), {
      patience: 1,
      dialect,
    });
    await expect(search).rejects.toMatchObject({
      message: 'None of the hosts of the database answers.',
      tried: 'a:1 (ECONNREFUSED), b:1 (timeout)',
    });
    const waiting = Object.assign(new Error('none'), { name: 'SequelizeConnectionAcquireTimeoutError' });
    const whileSilent = hosts.search(() => Promise.reject(waiting), { patience: 1, dialect });
    await expect(whileSilent).rejects.toBeInstanceOf(SilentHostsError);
    await hosts.search(async () => 'opened', { patience: 1, dialect });
    const later = hosts.search(() => Promise.reject(waiting), { patience: 1, dialect });
    await expect(later).rejects.toBe(waiting);
  });

  it('fails as a host that answers and can not be used, however many others are silent', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const starting = Object.assign(new Error('starting'), { code: '57P03' });
    const search = hosts.search(({ host }) => Promise.reject(host === 'a' ? starting : refused), {
      patience: 1,
      dialect,
    });
    await expect(search).rejects.toBe(starting);
  });

  const wrong = Object.assign(new Error('password'), { code: '28P01' });

  it('ends at once when all hosts refuse the login, such as for a wrong password', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const tried: string[] = [];
    const search = hosts.search(
      async ({ host }) => {
        tried.push(host);
        throw wrong;
      },
      { patience: 60_000, dialect },
    );
    await expect(search).rejects.toBe(wrong);
    expect(tried).toEqual(['a', 'b']);
    expect(hosts.current.host).toBe('a');
  });

  it('goes on while a host refuses the login and another one does not respond, and fails as that one', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const search = hosts.search(({ host }) => Promise.reject(host === 'a' ? refused : wrong), {
      patience: 1,
      dialect,
    });
    await expect(search).rejects.toBe(refused);
  });

  it('tells to which host writes go, and whenever that changes', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const told: string[] = [];
    const nothing = async () => {};
    hosts.follow((host) => told.push(host));
    expect(hosts.host).toBeUndefined();
    await hosts.afterMove(nothing);
    await hosts.afterMove(nothing);
    expect(hosts.host).toBe('a:1');
    hosts.leave(hosts.current);
    await hosts.afterMove(nothing);
    expect(told).toEqual(['a:1', 'b:1']);
    hosts.follow((host) => told.push(`late ${host}`));
    expect(told).toEqual(['a:1', 'b:1', 'late b:1']);
    expect(hosts.includes('a:1')).toBe(true);
    expect(hosts.includes('c:1')).toBe(false);
  });

  it('tells nothing of the only host', async () => {
    const hosts = new DatabaseHosts('a', 1);
    hosts.follow(() => expect.unreachable());
    await hosts.afterMove(async () => {});
    expect(hosts.host).toBe('a:1');
  });

  it('has work done when writes go to another host than before, again if it fails, then no more', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    let done = 0;
    const work = async () => {
      done += 1;
      if (done === 1) throw refused;
    };
    await hosts.afterMove(work);
    await hosts.afterMove(work);
    expect(done).toBe(0);
    hosts.leave(hosts.current);
    await expect(hosts.afterMove(work)).rejects.toBe(refused);
    await hosts.afterMove(work);
    await hosts.afterMove(work);
    expect(done).toBe(2);
  });

  it('leaves a host only if it is the one in use, and never the only one', () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const [a] = [hosts.current];
    hosts.leave(a);
    hosts.leave(a);
    expect(hosts.current.host).toBe('b');
    expect(hosts.isCurrent(a)).toBe(false);
    const only = new DatabaseHosts('a', 1);
    only.leave(only.current);
    expect(only.isCurrent(undefined)).toBe(true);
    expect(only.current.host).toBe('a');
  });
});
