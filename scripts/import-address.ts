import { isIPv6 } from 'node:net';
import { settingOfProperty } from '../config/database-properties.ts';
import { parseDatabaseUrl } from '../config/database-url.ts';
import { isAboutTls } from '../lib/db/dialects/server/tls-properties.ts';

/**
 * What an import reads, where `--from` is the address of a database as lrsql is configured with it, such as
 * `jdbc:postgresql://HOST/NAME?user=USER&password=PASSWORD`; anything else stays as it is.
 * @throws Error that shows nothing of the address.
 */
export function importAddress(from: string): string {
  if (!/^jdbc:/i.test(from)) return from;
  const parts = parseDatabaseUrl(from);
  if (typeof parts === 'string') throw new Error(`--from ${parts}.`);
  const { dbType, dbName = '', dbHost = 'localhost', dbPort } = parts;
  if (dbType === 'sqlite') return dbName;
  const { dbUser, dbPassword, dbSchema, rest } = propertiesOf(parts.dbProperties);
  const login = [parts.dbUser ?? dbUser, parts.dbPassword ?? dbPassword].flatMap((text) =>
    text === undefined ? [] : encodeURIComponent(text),
  );
  if (dbSchema !== undefined) rest.set('schema', dbSchema);
  const host = isIPv6(dbHost) ? `[${dbHost}]` : hostText(dbHost);
  const place = dbPort === undefined ? host : `${host}:${dbPort}`;
  const address = `${login.join(':')}${login.length > 0 ? '@' : ''}${place}/${encodeURIComponent(dbName)}`;
  return `${dbType}://${address}${rest.size > 0 ? `?${rest}` : ''}`;
}

/** The folder of a socket is encoded; a list of hosts, which an import refuses, stays one. */
const hostText = (host: string): string => (host.includes(',') ? host : encodeURIComponent(host));

type Properties = Partial<Record<'dbUser' | 'dbPassword' | 'dbSchema' | 'dbReadHosts', string>>;

/** Of the others, those about TLS stay, so that one without effect is refused; the rest means nothing to the drivers of an import. */
function propertiesOf(text = ''): Properties & { readonly rest: URLSearchParams } {
  const properties: Properties = {};
  const rest = new URLSearchParams();
  for (const [written, value] of new URLSearchParams(text)) {
    const name = written.toLowerCase();
    const setting = settingOfProperty[name];
    if (setting !== undefined) properties[setting] = value;
    else if (isAboutTls(name)) rest.append(name, value);
  }
  return { ...properties, rest };
}
