import { createHash, randomBytes } from 'node:crypto';

/** The client that people log in with; the page is on whatever port (RFC 8252 7.3). */
export const screen = {
  clientId: 'lrs-screen',
  redirectUri: 'http://127.0.0.1/callback',
  pageUri: 'http://127.0.0.1/',
};

/** Follows the redirects of a login like a browser, cookies included, and gives the answer of the token endpoint. */
export async function browserLogin(
  issuer: string,
  { user, scope, resource }: { readonly user: string; readonly scope: string; readonly resource: string },
): Promise<Response> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: screen.clientId,
    redirect_uri: screen.redirectUri,
    response_type: 'code',
    scope: `openid ${scope}`,
    resource,
    login_hint: user,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const arrival = await follow(`${issuer}/auth?${query}`);
  return fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: screen.clientId,
      redirect_uri: screen.redirectUri,
      code: arrival.searchParams.get('code') ?? '',
      code_verifier: verifier,
      resource,
    }),
  });
}

/** The address of the client to which the provider sends the browser in the end. */
async function follow(start: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = new URL(start);
  while (!address.href.startsWith(screen.redirectUri)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${address} answers ${response.status} ${await response.text()}`);
    address = new URL(location, address);
  }
  return address;
}
