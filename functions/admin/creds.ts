import type { ListedCredential } from '../../lib/credentials/types.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteList, noteMember } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { checked } from '../../lib/schema.ts';

/** Loaded with the first request that needs them: what checks requests takes a function as long as all the rest. */
const bodySchemas = () => import('../../lib/credentials/schema.ts');

/** The key pairs of the account that is logged in. */
export function credentialHandlers(
  open: Open,
): Record<'createCredential' | 'updateCredential' | 'listCredentials' | 'deleteCredential', Handler> {
  return {
    createCredential: adminHandler(open, createCredential),
    updateCredential: adminHandler(open, updateCredential, { note: noteMember('api-key') }),
    listCredentials: adminHandler(open, listCredentials, { note: noteList }),
    deleteCredential: adminHandler(open, deleteCredential, { note: noteMember('api-key') }),
  };
}

async function createCredential(call: AdminCall): Promise<HttpResponse> {
  const { lrs, account, json: body } = call;
  const { createCredentialSchema } = await bodySchemas();
  const { scopes, label } = checked(createCredentialSchema, body);
  const { apiKey, secretKey, ...credential } = await lrs.credentials.create(account.id, scopes, label);
  call.subject = apiKey;
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey, scopes: credential.scopes });
}

async function updateCredential({ lrs, account, json: body }: AdminCall): Promise<HttpResponse> {
  const { updateCredentialSchema } = await bodySchemas();
  const { 'api-key': apiKey, 'secret-key': secretKey, ...change } = checked(updateCredentialSchema, body);
  const { label, scopes } = await lrs.credentials.update(account.id, { apiKey, secretKey }, change);
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey, label, scopes });
}

async function listCredentials({ lrs, account }: AdminCall): Promise<HttpResponse> {
  const credentials = await lrs.credentials.list(account.id);
  return json(200, credentials.map(presented));
}

async function deleteCredential({ lrs, account, json: body }: AdminCall): Promise<HttpResponse> {
  const { deleteCredentialSchema } = await bodySchemas();
  const { 'api-key': apiKey, 'secret-key': secretKey } = checked(deleteCredentialSchema, body);
  await lrs.credentials.delete(account.id, { apiKey, secretKey });
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey });
}

function presented({ id, apiKey, secretKey, label, scopes, seed }: ListedCredential): object {
  return { id, 'api-key': apiKey, 'secret-key': secretKey, label, ...(seed && { 'seed?': true }), scopes };
}
