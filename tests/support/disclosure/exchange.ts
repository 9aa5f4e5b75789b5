import { splitStorePath } from '../../../lib/stores/address.ts';
import type { ClientAnswer, ClientRequest } from '../gateway-events.ts';
import { insidesOfAnswer, secretsIn } from './texts.ts';

/** Reads along what clients and servers say to each other, and remembers every secret that goes by. */
export class Listener {
  /** Secret → its kind. */
  readonly secrets = new Map<string, string>();
  /** Secret key → the account that may see it. */
  readonly #owners = new Map<string, string | undefined>();

  /** Learns the secrets of a call, and says what its answer discloses. */
  hear(heard: ClientRequest, answer: ClientAnswer): string[] {
    // The same holds in each store.
    const request = { ...heard, path: splitStorePath(heard.path).path };
    this.#learnFromRequest(request);
    const text = answer.body.toString('latin1');
    const issued = /"json-web-token":"([^"]+)"/.exec(text)?.[1];
    const administration = request.path.startsWith('/admin/');
    // Whoever asks for a token gets it; it must stand nowhere else.
    const rest = administration && issued !== undefined ? text.replace(issued, '') : text;
    const disclosed = [
      ...secretsIn(rest, this.#hiddenFrom(request)),
      ...(showsInsides(request, answer) ? insidesOfAnswer(rest, sent(request)) : []),
    ];
    if (issued !== undefined) this.#keep(issued, 'a token');
    if (request.path === '/admin/creds') this.#learnKeys(request, text);
    return disclosed;
  }

  #learnFromRequest({ path, headers = {}, body = '' }: ClientRequest): void {
    const bearer = /^Bearer +(\S+\.\S+\.\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) this.#keep(bearer, 'a token');
    if (!path.startsWith('/admin/account')) return;
    for (const [, password = ''] of body.toString('latin1').matchAll(/password":"([^"]+)"/g)) {
      if (isStrong(password)) this.#keep(password, 'a password');
    }
  }

  #learnKeys(request: ClientRequest, text: string): void {
    for (const [, secret = ''] of text.matchAll(/"secret-key":"([0-9a-f]{64})"/g)) {
      this.#keep(secret, 'a secret key');
      if (!this.#owners.has(secret)) this.#owners.set(secret, callerOf(request));
    }
  }

  #keep(secret: string, kind: string): void {
    this.secrets.set(secret, kind);
  }

  /** Key pairs are shown to their account, and to whoever shows them. */
  #hiddenFrom(request: ClientRequest): ReadonlyMap<string, string> {
    if (request.path !== '/admin/creds') return this.secrets;
    const caller = callerOf(request);
    const own = sent(request);
    const hidden = [...this.secrets].filter(
      ([secret]) =>
        !this.#owners.has(secret) || (this.#owners.get(secret) !== caller && !own.includes(secret)),
    );
    return new Map(hidden);
  }
}

/** Statements and documents hold whatever people put there; all other answers are the server's own words. */
function showsInsides({ path }: ClientRequest, { status, headers }: ClientAnswer): boolean {
  const isText = /^application\/json/.test(headers['content-type'] ?? '');
  return isText && (status >= 400 || path.startsWith('/admin/'));
}

function sent({ path, query = '', headers = {}, body = '' }: ClientRequest): string {
  const decoded = new URLSearchParams(query).toString();
  return [path, query, decoded, ...Object.values(headers), body.toString()].join('\n');
}

/** A password that the rules permit, which no other text is by chance. */
function isStrong(password: string): boolean {
  return password.length >= 10 && [/[a-z]/, /[A-Z]/, /\d/, /[^\w]|_/].every((kind) => kind.test(password));
}

/** Whom a token speaks for, as it says itself. */
function callerOf({ headers = {} }: ClientRequest): string | undefined {
  const claims = /^Bearer +[^.]+\.([^.]+)\./i.exec(headers.authorization ?? '')?.[1];
  if (claims === undefined) return undefined;
  const text = Buffer.from(claims, 'base64url').toString();
  return /"(?:acc|sub)":"([^"]+)"/.exec(text)?.[1];
}
