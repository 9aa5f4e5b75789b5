import { callAdmin, send, sendAdmin } from './client.ts';
import { ApiError } from './errors.ts';
import { session } from './session.ts';

export interface Account {
  readonly 'account-id': string;
  readonly username: string;
}

interface LoginAnswer {
  readonly 'account-id': string;
  readonly 'json-web-token': string;
}

/** @returns a token. */
export async function login(username: string, password: string): Promise<string> {
  const response = await send('admin/account/login', { method: 'POST', json: { username, password } });
  const answer: LoginAnswer = await response.json();
  return answer['json-web-token'];
}

/** Revokes every token of the account, in every browser. */
export async function logout(): Promise<void> {
  await sendAdmin('account/logout', { method: 'POST', json: {} });
}

/** @returns a new token for the same login. */
export async function renew(): Promise<string> {
  return (await callAdmin<LoginAnswer>('account/renew'))['json-web-token'];
}

/** Whether this token counts, else the one of the session. @throws ApiError when it does not. */
export async function verify(token?: string): Promise<true> {
  if (token === undefined) await sendAdmin('verify');
  else await send('admin/verify', { headers: { Authorization: `Bearer ${token}` } });
  return true;
}

/** Every account, whoever is signed in. */
export const accountsQuery = {
  queryKey: ['accounts'],
  queryFn: () => callAdmin<readonly Account[]>('account'),
};

export async function createAccount(username: string, password: string): Promise<void> {
  await sendAdmin('account/create', { method: 'POST', json: { username, password } });
}

export async function deleteAccount(id: string): Promise<void> {
  await sendAdmin('account', { method: 'DELETE', json: { 'account-id': id } });
}

/** Another account gets the password, and is signed out everywhere. */
export async function resetPassword(id: string, newPassword: string): Promise<void> {
  await sendAdmin('account/reset-password', {
    method: 'PUT',
    json: { 'account-id': id, 'new-password': newPassword },
  });
}

/** A wrong old password is refused as a token that no longer counts is: only the second ends the session. */
export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  try {
    await send('admin/account/password', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${session.token() ?? ''}` },
      json: { 'old-password': oldPassword, 'new-password': newPassword },
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') await verify();
    throw error;
  }
}

export const meQuery = { queryKey: ['me'], queryFn: () => callAdmin<Account>('me') };
