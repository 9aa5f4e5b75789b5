import { jsonType } from './texts.ts';
import type { Context } from './types.ts';
import { account } from './victim.ts';

/** The header Authorization of the first account; without a token where the login fails. */
export async function login({ client }: Context): Promise<string> {
  const { body } = await client.send({
    method: 'POST',
    path: '/admin/account/login',
    headers: jsonType,
    body: JSON.stringify(account),
    anonymous: true,
  });
  return `Bearer ${/"json-web-token":"([^"]+)"/.exec(body.toString())?.[1] ?? ''}`;
}
