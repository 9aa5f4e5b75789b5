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
  const { lrs, json: body } = call;
  const { createCredentialSchema } = await bodySchemas();
  const { scopes, label } = checked(createCredentialSchema, body);
  const { apiKey, secretKey, ...credential } = await lrs.credentials.create(call, scopes, label);
  call.subject = apiKey;
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey, scopes: credential.scopes });
}

async function updateCredential(call: AdminCall): Promise<HttpResponse> {
  const { updateCredentialSchema } = await bodySchemas();
  const {
    'api-key': apiKey,
    'secret-key': secretKey,
    ...change
  } = checked(updateCredentialSchema, call.json);
  const { label, scopes } = await call.lrs.credentials.update(call, { apiKey, secretKey }, change);
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey, label, scopes });
}

async function listCredentials({ lrs, account }: AdminCall): Promise<HttpResponse> {
  const credentials = await lrs.credentials.list(account.id);
  return json(200, credentials.map(presented));
}

async function deleteCredential(call: AdminCall): Promise<HttpResponse> {
  const { deleteCredentialSchema } = await bodySchemas();
  const { 'api-key': apiKey, 'secret-key': secretKey } = checked(deleteCredentialSchema, call.json);
  await call.lrs.credentials.delete(call, { apiKey, secretKey });
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey });
}

function presented({ id, apiKey, secretKey, label, scopes, seed }: ListedCredential): object {
  return { id, 'api-key': apiKey, 'secret-key': secretKey, label, ...(seed && { 'seed?': true }), scopes };
}
