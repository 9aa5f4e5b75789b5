import { createAccountSchema, deleteAccountSchema, loginSchema } from '../../lib/accounts/schema.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminDoor, type Handler, loginDoor, type Open } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { checked } from '../../lib/schema.ts';

/** Accounts of the administration: log in, create, list, delete. */
export function accountDoors(
  open: Open,
): Record<'login' | 'createAccount' | 'listAccounts' | 'deleteAccount', Handler> {
  return {
    login: loginDoor(open, login),
    createAccount: adminDoor(open, createAccount),
    listAccounts: adminDoor(open, listAccounts),
    deleteAccount: adminDoor(open, deleteAccount),
  };
}

async function login({ lrs, json: body }: AdminCall): Promise<HttpResponse> {
  const { username, password } = checked(loginSchema, body);
  const account = await lrs.accounts.login(username, password);
  return withToken(lrs, account.id);
}

async function createAccount({ lrs, json: body }: AdminCall): Promise<HttpResponse> {
  const { username, password } = checked(createAccountSchema, body);
  const account = await lrs.accounts.create(username, password);
  return withToken(lrs, account.id);
}

async function listAccounts({ lrs }: AdminCall): Promise<HttpResponse> {
  const accounts = await lrs.accounts.list();
  return json(
    200,
    accounts.map(({ id, username }) => ({ 'account-id': id, username })),
  );
}

async function deleteAccount({ lrs, json: body }: AdminCall): Promise<HttpResponse> {
  const { 'account-id': id } = checked(deleteAccountSchema, body);
  await lrs.accounts.delete(id);
  return json(200, { 'account-id': id });
}

async function withToken({ tokens }: AdminCall['lrs'], id: string): Promise<HttpResponse> {
  return json(200, { 'account-id': id, 'json-web-token': await tokens.issue(id) });
}
