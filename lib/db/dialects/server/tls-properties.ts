import { systemAuthorities, type TlsOptions } from './options.ts';

/** What properties of a connection say about TLS. */
export interface TlsProperties {
  /** undefined: in clear. */
  readonly tls: TlsOptions | undefined;
  /** What is wrong with them, each as a sentence without subject and full stop. None shows a value. */
  readonly problems: readonly string[];
}

/** What an `sslMode` verifies, by the names that Postgres' and MariaDB's own clients and JDBC drivers have; undefined: in clear. */
const modes: ReadonlyMap<string, TlsOptions['verify'] | undefined> = new Map([
  ['disable', undefined],
  ['require', 'nothing'],
  ['trust', 'nothing'],
  ['verify-ca', 'authority'],
  ['verify-full', 'authority and host'],
]);
const truths: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Other names of JDBC drivers for the same, in lower case. */
const aliases: Readonly<Record<string, string>> = {
  serversslcert: 'sslrootcert',
  usessl: 'ssl',
  channel_binding: 'channelbinding',
};
const withEffect = ['sslMode', 'sslRootCert', 'sslCert', 'sslKey'];
/** Properties that ask for TLS where they are true. */
const asking = ['ssl', 'requireSSL'];
/** How much a login is to be bound to the TLS connection; here it is not. */
const bindings = ['disable', 'prefer', 'require'];
const knownNames = [...withEffect, ...asking, 'channelBinding'].map((name) => name.toLowerCase());

/** A name in lower case, and the same one for names that say the same. */
export const tlsPropertyName = (written: string): string => {
  const name = written.toLowerCase();
  return aliases[name] ?? name;
};

/** Whether a property speaks of TLS: also one that is not known, as those of other drivers, or a mistake in one that is. */
export const isAboutTls = (name: string): boolean => /ssl|tls|trust|keystore|channel_?binding/i.test(name);

/**
 * Reads `sslMode`, `sslRootCert`, `sslCert` and `sslKey` with files, `ssl`, `requireSSL` and `channel_binding`. Upper and lower case of names, modes
 * and truths count alike. Without a mode, a connection is in clear unless `ssl`, `requireSSL` or a file asks for TLS; then
 * everything is verified.
 * @param given names, as they are written, with values. An unknown name is a problem, and so is one that is given twice, or what
 *   contradicts another: what it was meant to protect would be in clear.
 */
export function readTlsProperties(given: Iterable<readonly [string, string]>): TlsProperties {
  const properties = new Map<string, string>();
  const problems: string[] = [];
  for (const [written, value] of given) {
    const name = tlsPropertyName(written);
    if (!knownNames.includes(name)) {
      problems.push(
        `has the property "${written}", which is not known; known for TLS are ${withEffect.join(', ')}`,
      );
    } else if (properties.has(name)) problems.push(`has ${name} twice; it must have it once`);
    else properties.set(name, value);
  }
  const mode = properties.get('sslmode')?.toLowerCase();
  if (mode !== undefined && !modes.has(mode)) {
    problems.push(`has a value that is not known: sslMode must be one of ${[...modes.keys()].join(', ')}`);
  }
  for (const name of asking) {
    const asked = properties.get(name.toLowerCase());
    if (asked !== undefined && !truths.has(asked.toLowerCase())) {
      problems.push(`has a value that is not known: ${name} must be true or false`);
    } else if (mode === 'disable' && isAsked(properties, name)) {
      problems.push(`asks for TLS with ${name}, and for none with sslMode; it must have one of them`);
    }
  }
  if (properties.get('sslrootcert') === systemAuthorities && mode !== undefined && mode !== 'verify-full') {
    problems.push('has sslRootCert=system, which goes with sslMode=verify-full only');
  }
  if (properties.has('sslcert') !== properties.has('sslkey')) {
    problems.push('has one of sslCert and sslKey, but sslCert and sslKey go together');
  }
  const tls = tlsOf(properties);
  return { tls, problems: [...problems, ...bindingProblems(properties, tls)] };
}

function bindingProblems(properties: ReadonlyMap<string, string>, tls: TlsOptions | undefined): string[] {
  const binding = properties.get('channelbinding')?.toLowerCase() ?? 'disable';
  if (!bindings.includes(binding))
    return [`has a value that is not known: channel_binding must be one of ${bindings.join(', ')}`];
  return binding === 'require' && tls === undefined
    ? ['has channel_binding=require, which needs TLS: set sslMode=verify-full']
    : [];
}

const isAsked = (properties: ReadonlyMap<string, string>, name: string): boolean =>
  truths.get(properties.get(name.toLowerCase())?.toLowerCase() ?? 'false') === true;

function tlsOf(properties: ReadonlyMap<string, string>): TlsOptions | undefined {
  const authorityFile = properties.get('sslrootcert');
  const certificateFile = properties.get('sslcert');
  const keyFile = properties.get('sslkey');
  const named = authorityFile !== undefined || certificateFile !== undefined;
  const asked = named || asking.some((name) => isAsked(properties, name));
  const mode = properties.get('sslmode')?.toLowerCase() ?? (asked ? 'verify-full' : 'disable');
  // As in the client library of Postgres: who names an authority wants it verified.
  const verify = modes.get(mode === 'require' && authorityFile !== undefined ? 'verify-ca' : mode);
  if (verify === undefined) return undefined;
  return {
    verify,
    ...(authorityFile !== undefined && { authorityFile }),
    ...(certificateFile !== undefined && { certificateFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
}
