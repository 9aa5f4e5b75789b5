import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { databaseAddress } from '../../../lib/transfer/sources/lrsql/database-address.ts';
import { importAddress } from '../../../scripts/import-address.ts';

describe('the address of a source', () => {
  it.each([
    [
      'jdbc:postgresql://db.example:5433/lrsql_db?user=lrsql_user&password=p%40ss%2Fword&currentSchema=acme&sslMode=verify-full&ApplicationName=x',
      'postgres://lrsql_user:p%40ss%2Fword@db.example:5433/lrsql_db?sslmode=verify-full&schema=acme',
    ],
    ['jdbc:postgresql://ann:secret@[::1]/lrs', 'postgres://ann:secret@[::1]/lrs'],
    ['jdbc:postgresql:lrs?user=ann', 'postgres://ann@localhost/lrs'],
    [
      'jdbc:mariadb://db.example/lrs?user=ann&password=secret&allowMultiQueries=true',
      'mariadb://ann:secret@db.example/lrs',
    ],
    ['jdbc:mysql://db.example/lrs', 'mariadb://db.example/lrs'],
    ['jdbc:sqlite:data/lrsql.sqlite.db', 'data/lrsql.sqlite.db'],
  ])('that lrsql is configured with is understood: %s', (from, address) => {
    expect(importAddress(from)).toBe(address);
  });

  it.each(['useSSL=true&sslMode=disable', 'trustStore=ca.p12', 'sslMode=verify-full&sslMode=disable'])(
    'keeps what it says about TLS, so that it is refused and not in clear: %s',
    (properties) => {
      for (const engine of ['mysql', 'postgresql']) {
        const address = importAddress(`jdbc:${engine}://db.example/lrs?user=ann&${properties}`);
        expect(() => databaseAddress(address)).toThrow(InvalidError);
      }
    },
  );

  it('protects the connection where it asks for TLS as JDBC drivers have it', () => {
    const address = importAddress('jdbc:mysql://db.example/lrs?useSSL=true&requireSSL=true');
    expect(databaseAddress(address)).toMatchObject({ tls: { verify: 'authority and host' } });
  });

  it('says that TLS is off as JDBC drivers have it', () => {
    const address = importAddress('jdbc:mysql://db.example/lrs?allowPublicKeyRetrieval=true&useSSL=false');
    expect(databaseAddress(address)).toMatchObject({ host: 'db.example', tls: undefined });
  });

  it.each([
    ['jdbc:postgresql://[::1]:5433/lrs?user=ann', '::1'],
    ['jdbc:postgresql://%2Frun%2Fpostgresql/lrs?user=ann', '/run/postgresql'],
  ])('has the host of %s', (from, host) => {
    expect(databaseAddress(importAddress(from)).host).toBe(host);
  });

  it('with several hosts is refused', () => {
    expect(() => databaseAddress(importAddress('jdbc:postgresql://h1,h2:5433/lrs'))).toThrow(
      /names several hosts/,
    );
  });

  it.each(['-', 'statements.ndjson', 'https://key:secret@lrs.example/xapi', 'postgres://ann@db/lrs'])(
    'of another form stays as it is: %s',
    (from) => {
      expect(importAddress(from)).toBe(from);
    },
  );

  it.each([
    'jdbc:oracle://h/x?user=u&password=hidden-word',
    'JDBC:postgresql://h/x?user=u&password=hidden-word',
    'jdbc:postgresql://u:hidden-word%zz@h/x',
    'jdbc:postgresql://u:hidden-word@h/x?a b=1',
  ])('that is not understood is not shown: %s', (from) => {
    expect(() => importAddress(from)).toThrow(
      /^--from must be a URL such as postgresql:\/\/USER:PASSWORD@(?!.*hidden-word)/,
    );
  });
});
