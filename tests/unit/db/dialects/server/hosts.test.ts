import { describe, expect, it } from 'vitest';
import { MariadbDialect } from '../../../../../lib/db/dialects/mariadb/dialect.ts';
import { GaleraNotReadyError } from '../../../../../lib/db/dialects/mariadb/galera-connection.ts';
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
    expect(hosts.failure).toBeInstanceOf(SilentHostsError);
    await hosts.search(async () => 'opened', { patience: 1, dialect });
    expect(hosts.failure).toBeUndefined();
  });

  it('knows why no host can be used as soon as each was tried, for whoever waits for it', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const known: unknown[] = [];
    const search = hosts.search(
      async ({ host }) => {
        known.push(hosts.failure?.message);
        if (known.length > 2) return host;
        throw refused;
      },
      { patience: 60_000, dialect },
    );
    await search;
    expect(known).toEqual([undefined, undefined, 'None of the hosts of the database answers.']);
  });

  it('leaves out no host, however often other searches move to another one meanwhile', async () => {
    const hosts = new DatabaseHosts('a,b,c', 1);
    const tried: string[] = [];
    const search = hosts.search(
      async ({ host }) => {
        tried.push(host);
        for (let others = 0; others < 2; others += 1) hosts.leave(hosts.current);
        if (host !== 'c') throw refused;
        return host;
      },
      { patience: 1, dialect },
    );
    expect(await search).toBe('c');
    expect(tried).toEqual(['a', 'b', 'c']);
  });

  it('knows which host an error concerns, and names all hosts for another one', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const [late, lost] = [new Error('timeout expired'), new Error('lost')];
    const search = hosts.search(({ host }) => Promise.reject(host === 'a' ? refused : late), {
      patience: 1,
      dialect,
    });
    await expect(search).rejects.toThrow();
    expect([refused, late].map((error) => hosts.placeOf(error))).toEqual(['a:1', 'b:1']);
    expect(hosts.placeOf(lost)).toBe('a:1, b:1');
    hosts.noteError(lost, hosts.addresses[1]);
    expect(hosts.placeOf(lost)).toBe('b:1');
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

  describe('on a cluster', () => {
    const patient = { patience: 60_000, dialect: new MariadbDialect() };
    const minority = new GaleraNotReadyError();
    const failing = (errors: Readonly<Record<string, Error>>) => {
      const hosts = new DatabaseHosts('a,b,c', 1);
      const tried: string[] = [];
      const search = hosts.search(({ host }) => {
        tried.push(host);
        return Promise.reject(errors[host]);
      }, patient);
      return { search, tried };
    };

    it('ends at once when some hosts have no majority and the others do not answer or refuse the login', async () => {
      const denied = Object.assign(new Error('denied'), { errno: 1045 });
      const { search, tried } = failing({ a: denied, b: minority, c: refused });
      await expect(search).rejects.toMatchObject({
        message: 'None of the hosts of the database has a majority of its cluster.',
        tried: 'a:1 (login refused), b:1 (no majority), c:1 (ECONNREFUSED)',
        cause: minority,
      });
      expect(tried).toEqual(['a', 'b', 'c']);
    });

    it('goes on while another host answers, because that one may have a majority', async () => {
      const hosts = new DatabaseHosts('a,b,c', 1);
      const full = Object.assign(new Error('too many connections'), { errno: 1040 });
      let attempts = 0;
      const opened = await hosts.search(async ({ host }) => {
        attempts += 1;
        if (host !== 'c') throw minority;
        if (attempts <= 3) throw full;
        return host;
      }, patient);
      expect(opened).toBe('c');
    });

    it('fails as no host that takes writes when one is read-only, which is not repeated', async () => {
      const readOnly = Object.assign(new Error('read-only'), { errno: 1290 });
      const hosts = new DatabaseHosts('a,b', 1);
      const search = hosts.search(({ host }) => Promise.reject(host === 'a' ? minority : readOnly), {
        ...patient,
        patience: 1,
      });
      const error = await search.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NotPrimaryError);
      expect(patient.dialect.isReadOnly(error)).toBe(false);
    });
  });

  it('tells to which host writes go, and whenever that changes', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    const told: string[] = [];
    const nothing = async () => {};
    hosts.follow((host) => told.push(host));
    expect(hosts.host).toBeUndefined();
    await hosts.afterMove(hosts.current, nothing);
    await hosts.afterMove(hosts.current, nothing);
    expect(hosts.host).toBe('a:1');
    hosts.leave(hosts.current);
    await hosts.afterMove(hosts.current, nothing);
    expect(told).toEqual(['a:1', 'b:1']);
    hosts.follow((host) => told.push(`late ${host}`));
    expect(told).toEqual(['a:1', 'b:1', 'late b:1']);
    expect(hosts.includes('a:1')).toBe(true);
    expect(hosts.includes('c:1')).toBe(false);
  });

  it('tells nothing of the only host', async () => {
    const hosts = new DatabaseHosts('a', 1);
    hosts.follow(() => expect.unreachable());
    await hosts.afterMove(hosts.current, async () => {});
    expect(hosts.host).toBe('a:1');
  });

  it('has work done when writes go to another host than before, again if it fails, then no more', async () => {
    const hosts = new DatabaseHosts('a,b', 1);
    let done = 0;
    const work = async () => {
      done += 1;
      if (done === 1) throw refused;
    };
    await hosts.afterMove(hosts.current, work);
    await hosts.afterMove(hosts.current, work);
    expect(done).toBe(0);
    hosts.leave(hosts.current);
    await expect(hosts.afterMove(hosts.current, work)).rejects.toBe(refused);
    await hosts.afterMove(hosts.current, work);
    await hosts.afterMove(hosts.current, work);
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
