import { readHash } from '../../lib/attachments/hash.ts';
import type { AttachmentService } from '../../lib/attachments/types.ts';
import { NotFoundError } from '../../lib/errors.ts';
import type { XapiCall } from '../../lib/http/call.ts';
import { type Handler, type Open, xapiHandler } from '../../lib/http/handler.ts';
import { json, redirect } from '../../lib/http/responses.ts';
import { readAdminBody } from '../../lib/http/steps/read-body.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { readsOnlyOwnStatements } from '../../lib/xapi/scopes.ts';

/** Loaded with the first upload, as elsewhere: what checks bodies takes a function as long as all the rest. */
const bodyReaders = () =>
  Promise.all([import('../../lib/attachments/bodies.ts'), import('../../lib/http/steps/json-body.ts')]);

/** Attachments that go directly into a bucket and out of it, for those who may write and read statements. */
export function attachmentHandlers(open: Open): Record<'announceAttachment' | 'getAttachment', Handler> {
  const actions = { POST: announceAttachment, GET: getAttachment, HEAD: getAttachment };
  const handler = xapiHandler(open, 'statements', { actions, body: readAdminBody() });
  return { announceAttachment: handler, getAttachment: handler };
}

async function announceAttachment(call: XapiCall): Promise<HttpResponse> {
  const attachments = attachmentsOf(call);
  const [{ readAnnouncement }, { jsonObject }] = await bodyReaders();
  const announced = readAnnouncement(jsonObject(call.body));
  call.subject = announced.sha2;
  const { url, headers, expires } = await attachments.announce(call.principal.authority, announced);
  const body = { method: 'PUT', url, headers, expires: new Date(expires).toISOString() };
  return uncached(json(200, body));
}

async function getAttachment(call: XapiCall): Promise<HttpResponse> {
  const attachments = attachmentsOf(call);
  const { authority, scopes } = call.principal;
  const found = await attachments.find(readHash(call.path), {
    authority: readsOnlyOwnStatements(scopes) ? authority : undefined,
    reserve: (bytes) => call.responseMemory?.reserve(bytes),
  });
  if ('url' in found) return redirect(found.url);
  const { content, contentType } = found;
  return uncached({
    statusCode: 200,
    headers: {
      'Content-Type': contentType,
      // No browser runs what a statement brought.
      'Content-Disposition': 'attachment',
      'Content-Security-Policy': 'sandbox',
    },
    body: content,
  });
}

function attachmentsOf({ lrs }: XapiCall): AttachmentService {
  if (lrs.attachments !== undefined) return lrs.attachments;
  throw new NotFoundError(
    'Uploads and downloads of large attachments are switched off: set lrs.attachmentBucket to have them.',
  );
}

const uncached = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Cache-Control': 'no-store' },
});
