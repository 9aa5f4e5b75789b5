import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../../lib/errors.ts';
import { databaseAddress } from '../../../../lib/transfer/sources/lrsql/database-address.ts';
import { openLrsqlPostgres } from '../../../../lib/transfer/sources/lrsql/reader-postgres.ts';

const schemes = ['mariadb', 'postgres'] as const;
const tls = (scheme: string, query: string) => databaseAddress(`${scheme}://lrs@db.example/lrs?${query}`).tls;

describe.each(schemes)('TLS of a %s from which an lrsql is imported', (scheme) => {
  it.each([
    ['', undefined],
    ['schema=lrsql', undefined],
    ['sslMode=disable', undefined],
    ['useSSL=false', undefined],
    ['ssl=true', { verify: 'authority and host' }],
    ['sslMode=trust', { verify: 'nothing' }],
    ['sslMode=VERIFY-FULL', { verify: 'authority and host' }],
    ['sslmode=verify-ca', { verify: 'authority' }],
    ['sslMode=verify-full&serverSslCert=ca.pem', { verify: 'authority and host', authorityFile: 'ca.pem' }],
    ['sslRootCert=ca.pem', { verify: 'authority and host', authorityFile: 'ca.pem' }],
  ])('is as its address says: %s', (query, expected) => {
    expect(tls(scheme, query)).toEqual(expected);
  });

  it.each([
    'sslMode=prefer',
    'sslMode=constructor',
    'useSsl=yes',
    'tlsVersion=1.2',
    'trustStore=ca.p12',
    'trustServerCertificate=false',
  ])('is not left out where it is not understood: %s', (query) => {
    expect(() => tls(scheme, query)).toThrow(InvalidError);
  });

  it.each([
    ['sslMode=verify-full&sslmode=disable', 'sslmode'],
    ['useSSL=true&ssl=false', 'ssl'],
  ])('is refused where it is given twice: %s', (query, name) => {
    expect(() => tls(scheme, query)).toThrow(
      new InvalidError(`The address of --from has ${name} twice; it must have it once.`),
    );
  });
});

describe('the address of a database from which an lrsql is imported', () => {
  it('has its parts decoded, and an IPv6 address without brackets', () => {
    expect(databaseAddress('mariadb://a%40n:p%2Fw@[::1]:3307/my%20lrs')).toMatchObject({
      ...{ host: '::1', user: 'a@n', password: 'p/w', database: 'my lrs' },
    });
  });

  it.each([
    'postgres://h:99999/l',
    'mariadb://hidden%ZZ@h/l',
    'postgres://hidden@/l?host=/run',
    'postgres://ann:12/hidden@h/l',
    'postgres://ann:12#hidden@h/l',
    'mariadb://ann:12?hidden@h/l',
  ])('is named where it cannot be read, and not repeated: %s', (from) => {
    expect(() => databaseAddress(from)).toThrow(/^The address of --from cannot be read\.(?!.*hidden)/);
  });

  it('may have an @ in its parameters', () => {
    const { url } = databaseAddress('postgres://db.example/lrs?user=ann@db');
    expect(url.searchParams.get('user')).toBe('ann@db');
  });

  it('has one host', () => {
    expect(() => databaseAddress('postgres://h1,h2:5433/l')).toThrow(/names several hosts/);
  });

  /** What a client that reads from this address sends first. */
  async function firstBytesTo(query: string, failure = /cannot be opened/): Promise<Buffer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const first = once(server, 'connection').then(async ([socket]: Socket[]) => {
      const [bytes] = await once(socket as Socket, 'data');
      (socket as Socket).end('N');
      return bytes;
    });
    const { port } = server.address() as AddressInfo;
    await expect(openLrsqlPostgres(`postgres://lrs@127.0.0.1:${port}/${query}`)).rejects.toThrow(failure);
    server.close();
    return first;
  }

  it('has the connection to a Postgres protected before anything is sent, in upper or lower case', async () => {
    // The request for TLS (Postgres' protocol, 55.2.10).
    expect((await firstBytesTo('lrs?sslMode=Require', /does not support SSL/)).toString('hex')).toBe(
      '0000000804d2162f',
    );
  });

  it('names any database and user to a Postgres', async () => {
    const start = String(await firstBytesTo('a%2Fb%3Fc%23d%25%20e?user=ann@db&application_name=import'));
    expect(start).toContain('\0database\0a/b?c#d% e\0');
    expect(start).toContain('\0user\0ann@db\0');
    expect(start).toContain('\0application_name\0import\0');
  });
});
