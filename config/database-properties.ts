import type { DatabaseConfig } from './types.ts';

type TlsConfig = NonNullable<Extract<DatabaseConfig, { dbHost: string }>['tls']>;
type Verification = TlsConfig['verify'];

/** By the names that Postgres' and MariaDB's own clients have for them. */
const verifications: Readonly<Record<string, Verification>> = {
  require: 'nothing',
  trust: 'nothing',
  'verify-ca': 'authority',
  'verify-full': 'authority and host',
};
/** Modes in which a client speaks in clear to a server that offers no TLS, which protects nothing. */
const opportunistic = ['allow', 'prefer'];
const modes = ['disable', ...Object.keys(verifications)];

/** Other names of JDBC drivers for the same, in lower case. */
const aliases: Readonly<Record<string, string>> = { serversslcert: 'sslrootcert', usessl: 'ssl' };

const withEffect = ['sslMode', 'sslRootCert', 'sslCert', 'sslKey'];
const knownNames = [...withEffect, 'ssl'].map((name) => name.toLowerCase());

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

/** Properties by their name in lower case, without those that JDBC drivers need and nothing here does. */
export function parseProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const [written, value] of new URLSearchParams(text)) {
    const name = written.toLowerCase();
    if (expected[name]?.test(value) !== true) properties.set(aliases[name] ?? name, value);
  }
  return properties;
}

/** The name of a property as it is written, for sentences. */
function asWritten(text: string, name: string): string {
  const names = [...new URLSearchParams(text).keys()];
  return names.find((written) => (aliases[written.toLowerCase()] ?? written.toLowerCase()) === name) ?? name;
}

/** Properties without effect, with what to do instead. No sentence shows a value. */
export function propertyWarnings(text: string): string[] {
  const properties = parseProperties(text);
  const warnings = [...properties.keys()]
    .filter((name) => !knownNames.includes(name) && !name.startsWith('ssl'))
    .map((name) => {
      const instead = otherSettings[name];
      const advice = instead === undefined ? '' : `; ${instead} says the same`;
      return `database.dbProperties has the property "${asWritten(text, name)}", which has no effect here${advice}.`;
    });
  const mode = properties.get('sslmode') ?? '';
  if (opportunistic.includes(mode)) {
    warnings.push(
      `database.dbProperties: sslMode=${mode} counts as disable, because it would accept a connection in clear; verify-full protects it.`,
    );
  }
  return warnings;
}

/** No sentence shows a value. */
export function propertyProblems(text: string): string[] {
  const properties = parseProperties(text);
  const problems = [...properties.keys()]
    .filter((name) => name.startsWith('ssl') && !knownNames.includes(name))
    .map(
      (name) =>
        `database.dbProperties has the property "${asWritten(text, name)}", which is not known; known for TLS are ${withEffect.join(', ')}.`,
    );
  const mode = properties.get('sslmode');
  if (mode !== undefined && ![...modes, ...opportunistic].includes(mode)) {
    problems.push(`database.dbProperties: sslMode must be one of ${modes.join(', ')}.`);
  }
  if (properties.has('sslcert') !== properties.has('sslkey')) {
    problems.push('database.dbProperties: sslCert and sslKey go together.');
  }
  return problems;
}

/** Without a mode, a connection is in clear unless `ssl` or a file for TLS asks for it; then everything is verified. */
export function tlsOf(properties: ReadonlyMap<string, string>): TlsConfig | undefined {
  const authorityFile = properties.get('sslrootcert');
  const certificateFile = properties.get('sslcert');
  const keyFile = properties.get('sslkey');
  const named = authorityFile !== undefined || certificateFile !== undefined;
  const asked = named || ['', 'true'].includes(properties.get('ssl') ?? 'false');
  const verify = verifications[properties.get('sslmode') ?? (asked ? 'verify-full' : 'disable')];
  if (verify === undefined) return undefined;
  return {
    verify,
    ...(authorityFile !== undefined && { authorityFile }),
    ...(certificateFile !== undefined && { certificateFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
}
