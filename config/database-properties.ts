import { isAboutTls, readTlsProperties, tlsPropertyName } from '../lib/db/dialects/server/tls-properties.ts';
import type { DatabaseConfig } from './types.ts';

type TlsConfig = NonNullable<Extract<DatabaseConfig, { dbHost: string }>['tls']>;
/** Modes in which a client speaks in clear to a server that offers no TLS, which protects nothing. */
const opportunistic = ['allow', 'prefer'];

/** What stands in a setting of its own, by the property's name in lower case. */
export const settingOfProperty: Readonly<
  Record<string, 'dbUser' | 'dbPassword' | 'dbSchema' | 'dbReadHosts'>
> = {
  user: 'dbUser',
  password: 'dbPassword',
  currentschema: 'dbSchema',
  readhosts: 'dbReadHosts',
};

/** Properties that say what a setting says here, in lower case. */
const otherSettings: Readonly<Record<string, string>> = {
  connecttimeout: 'connection.poolConnectionTimeout',
  logintimeout: 'connection.poolConnectionTimeout',
  sockettimeout: 'connection.dbTransactionTimeout',
};

/**
 * What is done here anyway, or not needed: lrsql's default on MariaDB, whereas the batches here need no several statements in
 * one text; and the search for the primary among several hosts.
 */
const expected: Readonly<Record<string, RegExp>> = {
  allowmultiqueries: /^/,
  targetservertype: /^(primary|master)$/i,
  target_session_attrs: /^(primary|read-write)$/i,
};

/** The properties as they are written, without those that JDBC drivers need and nothing here does. */
export function parseProperties(text: string): (readonly [string, string])[] {
  return [...new URLSearchParams(text)].filter(
    ([name, value]) => expected[name.toLowerCase()]?.test(value) !== true,
  );
}

const isOpportunistic = (name: string, value: string): boolean =>
  tlsPropertyName(name) === 'sslmode' && opportunistic.includes(value.toLowerCase());

/** Properties without effect, with what to do instead. No sentence shows a value. */
export function propertyWarnings(text: string): string[] {
  return parseProperties(text).flatMap(([written, value]) => {
    if (isOpportunistic(written, value)) {
      return `database.dbProperties: sslMode=${value} counts as disable, because it would accept a connection in clear; verify-full protects it.`;
    }
    if (tlsPropertyName(written) === 'channelbinding' && /^require$/i.test(value)) {
      return `database.dbProperties: ${written} binds no login to the connection here; sslMode=verify-full protects it.`;
    }
    if (isAboutTls(written)) return [];
    const instead = otherSettings[written.toLowerCase()];
    const advice = instead === undefined ? '' : `; ${instead} says the same`;
    return `database.dbProperties has the property "${written}", which has no effect here${advice}.`;
  });
}

/** No sentence shows a value. */
export const propertyProblems = (text: string): string[] =>
  tlsProperties(text).problems.map((problem) => `database.dbProperties ${problem}.`);

/** How the properties have a connection protected; undefined: in clear. */
export const tlsOf = (text: string): TlsConfig | undefined => tlsProperties(text).tls;

function tlsProperties(text: string) {
  return readTlsProperties(
    parseProperties(text)
      .filter(([name]) => isAboutTls(name))
      .map(([name, value]) => [name, isOpportunistic(name, value) ? 'disable' : value] as const),
  );
}
