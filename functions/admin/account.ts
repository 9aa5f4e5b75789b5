import { InvalidError } from '../../lib/errors.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import {
  adminHandler,
  adminViewHandler,
  type Handler,
  loginHandler,
  type Open,
} from '../../lib/http/handler.ts';
import { noteMember } from '../../lib/http/operator-notes.ts';
import { json, noContent } from '../../lib/http/responses.ts';
import { refuseWithProxyTokens } from '../../lib/http/steps/refuse-with-proxy-tokens.ts';
import { refuseWithoutLocalAdmin } from '../../lib/http/steps/refuse-without-local-admin.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { checked } from '../../lib/schema.ts';

/** Loaded with the first request that needs them: what checks requests takes a function as long as all the rest. */
const bodySchemas = () => import('../../lib/accounts/schema.ts');

type AccountHandler =
  | 'login'
  | 'logout'
  | 'renewToken'
  | 'createAccount'
  | 'listAccounts'
  | 'deleteAccount'
  | 'changePassword'
  | 'resetPassword'
  | 'getMe'
  | 'verifyLogin';

/** Accounts of the administration, their passwords and tokens. */
export function accountHandlers(open: Open): Record<AccountHandler, Handler> {
  return {
    login: loginHandler(open, login, { first: [refuseWithoutLocalAdmin()] }),
    logout: adminHandler(open, logout, {
      first: [refuseWithProxyTokens()],
      whileReadOnly: true,
      bodyOptional: true,
    }),
    renewToken: adminHandler(open, renewToken),
    createAccount: adminHandler(open, createAccount, { first: [refuseWithoutLocalAdmin()] }),
    listAccounts: adminViewHandler(open, listAccounts),
    deleteAccount: adminHandler(open, deleteAccount, { note: noteMember('account-id') }),
    changePassword: adminHandler(open, changePassword, { first: [refuseWithoutLocalAdmin()] }),
    resetPassword: adminHandler(open, resetPassword, {
      first: [refuseWithoutLocalAdmin()],
      note: noteMember('account-id'),
    }),
    getMe: adminViewHandler(open, getMe),
    verifyLogin: adminViewHandler(open, async () => noContent()),
  };
}

async function login(call: AdminCall): Promise<HttpResponse> {
  const { lrs, json: body } = call;
  const { loginSchema } = await bodySchemas();
  const { username, password } = checked(loginSchema, body);
  call.triedName = username;
  const account = await lrs.accounts.login(username, password, clientAddress(call));
  call.account = account;
  return json(200, { 'account-id': account.id, 'json-web-token': await lrs.tokens.issue(account) });
}

/** Revokes all tokens of the account, where lrsql revokes only the one of the call; its clients send no body. */
async function logout({ lrs, account, token }: AdminCall): Promise<HttpResponse> {
  if (token === undefined) {
    throw new InvalidError('Only a token that this LRS has issued can be logged out here.');
  }
  await lrs.accounts.revokeTokens(account.id);
  return json(200, { 'account-id': account.id });
}

async function renewToken({ lrs, account, token }: AdminCall): Promise<HttpResponse> {
  return json(200, {
    'account-id': account.id,
    'json-web-token': await lrs.tokens.renew({ account, token }),
  });
}

async function createAccount(call: AdminCall): Promise<HttpResponse> {
  const { lrs, json: body } = call;
  const { createAccountSchema } = await bodySchemas();
  const { username, password } = checked(createAccountSchema, body);
  const account = await lrs.accounts.create(username, password, call);
  call.subject = account.id;
  call.filters = { username };
  return json(200, { 'account-id': account.id, 'json-web-token': await lrs.tokens.issue(account) });
}

async function listAccounts({ lrs }: AdminCall): Promise<HttpResponse> {
  const accounts = await lrs.accounts.list();
  return json(
    200,
    accounts.map(({ id, username }) => ({ 'account-id': id, username })),
  );
}

async function deleteAccount(call: AdminCall): Promise<HttpResponse> {
  const { deleteAccountSchema } = await bodySchemas();
  const { 'account-id': id } = checked(deleteAccountSchema, call.json);
  call.subject = id;
  // Afterwards nobody knows whose id it was.
  const account = await call.lrs.accounts.find(id);
  if (account !== undefined) call.filters = { username: account.username };
  await call.lrs.accounts.delete(id, call);
  return json(200, { 'account-id': id });
}

async function changePassword(call: AdminCall): Promise<HttpResponse> {
  const { lrs, account } = call;
  const { changePasswordSchema } = await bodySchemas();
  const { 'old-password': oldPassword, 'new-password': newPassword } = checked(
    changePasswordSchema,
    call.json,
  );
  await lrs.accounts.changePassword(call, { oldPassword, newPassword, client: clientAddress(call) });
  return json(200, { 'account-id': account.id });
}

/** The own password is changed by who knows it, so that a token alone does not suffice to take an account over. */
async function resetPassword(call: AdminCall): Promise<HttpResponse> {
  const { lrs } = call;
  const { resetPasswordSchema } = await bodySchemas();
  const { 'account-id': id, 'new-password': newPassword } = checked(resetPasswordSchema, call.json);
  call.subject = id;
  if (id === call.account.id) {
    const message = 'is the own account: change its password by PUT /admin/account/password';
    throw new InvalidError(`account-id ${message}.`, { details: [{ path: 'account-id', message }] });
  }
  const account = await lrs.accounts.find(id);
  if (account !== undefined) call.filters = { username: account.username };
  await lrs.accounts.resetPassword(id, newPassword, call);
  return json(200, { 'account-id': id });
}

async function getMe({ account: { id, username } }: AdminCall): Promise<HttpResponse> {
  return json(200, { 'account-id': id, username });
}
