import { type Entrance, firstAccount } from './entrance.ts';
import type { ClientAnswer, ClientRequest } from './gateway-events.ts';

/** Speaks to an LRS as an administrator and as a learning record provider. */
export interface LrsClient {
  /** Calls the xAPI with the key pair and version 1.0.3, unless the headers say otherwise. */
  xapi(method: string, request?: Omit<Partial<ClientRequest>, 'method'>): Promise<ClientAnswer>;
  /** Calls the administration with the token. */
  admin(method: string, path: string, body?: object): Promise<ClientAnswer>;
}

const json = { 'content-type': 'application/json' };

/** Logs in and makes a key pair with these scopes. */
export async function connect(
  entrance: Entrance,
  scopes: readonly string[] = ['all'],
  account: { readonly username: string; readonly password: string } = firstAccount,
): Promise<LrsClient> {
  const login = await entrance.send({
    method: 'POST',
    path: '/admin/account/login',
    headers: json,
    body: JSON.stringify(account),
  });
  const token = stringMember(login, 'json-web-token');
  const admin: LrsClient['admin'] = (method, path, body) =>
    entrance.send({
      method,
      path,
      headers: { ...json, authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const pair = await admin('POST', '/admin/creds', { scopes });
  const authorization = `Basic ${btoa(`${stringMember(pair, 'api-key')}:${stringMember(pair, 'secret-key')}`)}`;
  return {
    admin,
    xapi: (method, { headers, ...request } = {}) =>
      entrance.send({
        method,
        path: '/xapi/statements',
        headers: {
          ...(request.body === undefined ? {} : json),
          authorization,
          'x-experience-api-version': '1.0.3',
          ...headers,
        },
        ...request,
      }),
  };
}

/** The parsed body of an answer. */
export function parsed(answer: ClientAnswer): unknown {
  return JSON.parse(answer.body.toString('utf8'));
}

/** A member of an answer's body that has to be a string. */
export function stringMember(answer: ClientAnswer, name: string): string {
  const body = parsed(answer);
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value !== 'string')
    throw new Error(`No ${name} in ${answer.status} ${answer.body.toString('utf8')}`);
  return value;
}
