import type { TlsOptions } from '../../../db/dialects/server/options.ts';
import { isAboutTls, readTlsProperties } from '../../../db/dialects/server/tls-properties.ts';
import { InvalidError } from '../../../errors.ts';
import { parseSecretAddress } from '../../../secret-address.ts';

/** What the address of a database on a server says. */
export interface DatabaseAddress {
  readonly url: URL;
  /** How the connection is protected; undefined: in clear. */
  readonly tls: TlsOptions | undefined;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Reads the address of a database on a server, such as `postgres://USER:PASSWORD@HOST/NAME?sslmode=verify-full`. Its parameters
 * about TLS are those of `dbProperties`.
 * @throws InvalidError when it can't be read, or not all that it says about TLS has an effect. The error does not repeat the
 *   address, which may hold a password.
 */
export function databaseAddress(from: string): DatabaseAddress {
  const address = parsed(from);
  if (address.host.includes(',')) {
    throw new InvalidError(
      'The address of --from names several hosts, but an import reads from one of them.',
    );
  }
  const given = [...address.url.searchParams].filter(([name]) => isAboutTls(name));
  const { tls, problems } = readTlsProperties(given);
  if (problems.length > 0) throw new InvalidError(`The address of --from ${problems.join(', and ')}.`);
  return { ...address, tls };
}

function parsed(from: string): Omit<DatabaseAddress, 'tls'> {
  try {
    const url = parseSecretAddress(from);
    return {
      url,
      host: decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
    };
  } catch {
    throw new InvalidError(
      'The address of --from cannot be read. It looks like postgres://USER:PASSWORD@HOST:PORT/NAME, and other characters than letters and digits of user and password are percent-encoded: %, @, : and / are written as %25, %40, %3A and %2F.',
    );
  }
}
