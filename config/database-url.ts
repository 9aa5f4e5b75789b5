import { engineFacts, factsOf, isEngineName } from '../lib/db/dialects/facts.ts';

/** What one URL says about the database. What it does not say is absent. */
export interface UrlParts {
  readonly dbType: string;
  readonly dbName?: string;
  readonly dbHost?: string;
  readonly dbPort?: string;
  readonly dbUser?: string;
  readonly dbPassword?: string;
  /** `name=value&name=value`. */
  readonly dbProperties?: string;
}

const [first = '', ...others] = engineFacts.flatMap(({ name, aliases, server }) =>
  server === undefined ? [] : [...aliases, name],
);
/** What a URL must be, for people. */
const urlForms = `must be a URL such as ${first}://USER:PASSWORD@HOST:PORT/NAME, ${others.map((scheme) => `${scheme}://…, `).join('')}sqlite:FILE, or the same behind jdbc:, with other characters than letters and digits of user and password percent-encoded`;

const serverForm = /^\/{0,2}(?:(?<login>[^/?#]*)@)?(?<place>[^/?#@]*)(?:\/(?<name>[^?#]*))?$/;
const propertyName = /^[\w.-]+$/;
const placeForm = /^(?<host>\[[\da-f:.]+\]|[^:,[\]]*)(?::(?<port>\d+))?$/i;

/**
 * Reads the URL of a database as JDBC drivers write it (`jdbc:postgresql://host/name?user=…`) or as `DATABASE_URL` has it
 * (`postgres://user:password@host:port/name`).
 * @returns a sentence without subject when it can't be read; it shows nothing of the URL.
 */
export function parseDatabaseUrl(url: string): UrlParts | string {
  const {
    scheme = '',
    rest = '',
    query,
  } = /^(?:jdbc:)?(?<scheme>[a-z]+):(?<rest>[^?]*)(?:\?(?<query>.*))?$/s.exec(url.trim())?.groups ?? {};
  // A MySQL server itself is refused when it is reached.
  if (!isEngineName(scheme)) return urlForms;
  const { name: dbType, server } = factsOf(scheme);
  // Where a password has a character that would have to be encoded, parts of it would be taken for something that is shown.
  if ([...new URLSearchParams(query).keys()].some((name) => !propertyName.test(name))) return urlForms;
  const properties = query === undefined || query === '' ? {} : { dbProperties: query };
  if (server === undefined) return { dbType, dbName: rest.replace(/^\/\//, ''), ...properties };
  // `jdbc:postgresql:name` names a database of this machine.
  const text = rest.includes('/') ? rest : `//localhost/${rest}`;
  const { login, place, name = '' } = serverForm.exec(text)?.groups ?? {};
  if (place === undefined) return urlForms;
  if (name.includes('@')) return urlForms;
  try {
    const address = addressOf(place);
    if (address === undefined) return urlForms;
    return {
      dbType,
      ...address,
      ...(name !== '' && { dbName: decodeURIComponent(name) }),
      ...loginOf(login),
      ...properties,
    };
  } catch {
    return urlForms;
  }
}

/**
 * The host and the port, or the list of hosts with their ports.
 * @throws URIError when the percent-encoding is wrong.
 */
function addressOf(place: string): Pick<UrlParts, 'dbHost' | 'dbPort'> | undefined {
  // In a list of URLs, commas between hosts are encoded.
  if (/,|%2c/i.test(place)) return { dbHost: decodeURIComponent(place) };
  const { host, port } = placeForm.exec(place)?.groups ?? {};
  if (host === undefined) return undefined;
  return {
    ...(host !== '' && { dbHost: decodeURIComponent(host.replace(/^\[|\]$/g, '')) }),
    ...(port !== undefined && { dbPort: port }),
  };
}

function loginOf(login: string | undefined): Pick<UrlParts, 'dbUser' | 'dbPassword'> {
  if (login === undefined) return {};
  const [user = '', ...password] = login.split(':');
  return {
    ...(user !== '' && { dbUser: decodeURIComponent(user) }),
    ...(password.length > 0 && { dbPassword: decodeURIComponent(password.join(':')) }),
  };
}
