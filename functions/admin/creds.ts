import {
  createCredentialSchema,
  deleteCredentialSchema,
  updateCredentialSchema,
} from '../../lib/credentials/schema.ts';
import type { ListedCredential } from '../../lib/credentials/types.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { noteList } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { checked } from '../../lib/schema.ts';

/** The key pairs of the account that is logged in. */
export function credentialDoors(
  open: Open,
): Record<'createCredential' | 'updateCredential' | 'listCredentials' | 'deleteCredential', Handler> {
  return {
    createCredential: adminDoor(open, createCredential),
    updateCredential: adminDoor(open, updateCredential),
    listCredentials: adminDoor(open, listCredentials, { note: noteList }),
    deleteCredential: adminDoor(open, deleteCredential),
  };
}

async function createCredential(call: AdminCall): Promise<HttpResponse> {
  const { lrs, account, json: body } = call;
  const { scopes, label } = checked(createCredentialSchema, body);
  const { apiKey, secretKey, ...credential } = await lrs.credentials.create(account.id, scopes, label);
  call.subject = apiKey;
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey, scopes: credential.scopes });
}

async function updateCredential(call: AdminCall): Promise<HttpResponse> {
  const { lrs, account, json: body } = call;
  const { 'api-key': apiKey, 'secret-key': secretKey, ...change } = checked(updateCredentialSchema, body);
  const { label, scopes } = await lrs.credentials.update(account.id, { apiKey, secretKey }, change);
  call.subject = apiKey;
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey, label, scopes });
}

async function listCredentials({ lrs, account }: AdminCall): Promise<HttpResponse> {
  const credentials = await lrs.credentials.list(account.id);
  return json(200, credentials.map(presented));
}

async function deleteCredential(call: AdminCall): Promise<HttpResponse> {
  const { lrs, account, json: body } = call;
  const { 'api-key': apiKey, 'secret-key': secretKey } = checked(deleteCredentialSchema, body);
  await lrs.credentials.delete(account.id, { apiKey, secretKey });
  call.subject = apiKey;
  return json(200, { 'api-key': apiKey, 'secret-key': secretKey });
}

function presented({ id, apiKey, secretKey, label, scopes, seed }: ListedCredential): object {
  return { id, 'api-key': apiKey, 'secret-key': secretKey, label, ...(seed && { 'seed?': true }), scopes };
}
