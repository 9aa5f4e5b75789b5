import { nameOfPrincipal } from '../../lib/credentials/types.ts';
import { entityTagOf } from '../../lib/documents/entity-tag.ts';
import { textOf } from '../../lib/documents/list.ts';
import type { DocumentQuery, DocumentSelection } from '../../lib/documents/parameters.ts';
import type { DocumentContent, DocumentKind } from '../../lib/documents/types.ts';
import { InvalidError } from '../../lib/errors.ts';
import type { XapiCall } from '../../lib/http/call.ts';
import { readConditions } from '../../lib/http/conditions.ts';
import { type Handler, type Open, xapiHandler } from '../../lib/http/handler.ts';
import { noContent } from '../../lib/http/responses.ts';
import { tagged } from '../../lib/http/tagged.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { onUse } from '../../lib/on-use.ts';
import { isMediaType } from '../../lib/xapi/media-type.ts';
import { allowedMethods } from '../router.ts';

/** Loaded with the first request: what checks parameters takes a function as long as all the rest. */
const parameterReaders = onUse(() => import('../../lib/documents/parameters.ts'));

/** The one handler of a document resource, whatever its kind (xAPI 1.0.3 Communication 2.2). */
export function documentHandler(open: Open, kind: DocumentKind): Handler {
  const get = async (call: XapiCall) => {
    const { readGetParameters } = await parameterReaders();
    return getDocuments(call, readGetParameters(queryOf(kind, call)));
  };
  return xapiHandler(open, kind, {
    allowed: allowedMethods,
    actions: {
      GET: get,
      HEAD: get,
      PUT: (call) => putDocument(kind, call),
      POST: (call) => postDocument(kind, call),
      DELETE: async (call) => {
        const { readDeleteParameters } = await parameterReaders();
        return deleteDocuments(call, readDeleteParameters(queryOf(kind, call)));
      },
    },
  });
}

async function getDocuments(call: XapiCall, selection: DocumentSelection): Promise<HttpResponse> {
  const { documents } = call.lrs;
  if ('address' in selection) {
    const document = await documents.get(selection.address, call.responseMemory?.reserve);
    return tagged(call, document, document);
  }
  // The ids, and the text that is made of them.
  const reserve = (bytes: number) => call.responseMemory?.reserve(2 * bytes);
  const { ids, updated } = await documents.list(selection.collection, selection.since, reserve);
  const text = textOf(ids);
  const list = { contentType: 'application/json', content: text };
  return tagged(call, list, { etag: entityTagOf(text), updated });
}

async function putDocument(kind: DocumentKind, call: XapiCall): Promise<HttpResponse> {
  const { version, lrs } = call;
  const { readAddress } = await parameterReaders();
  const address = readAddress(queryOf(kind, call));
  const content = contentOf(call);
  await scanned(call);
  await lrs.documents.put(address, content, { version, conditions: readConditions(call) });
  return noContent();
}

async function postDocument(kind: DocumentKind, call: XapiCall): Promise<HttpResponse> {
  const { version, lrs } = call;
  const { readAddress } = await parameterReaders();
  const address = readAddress(queryOf(kind, call));
  const content = contentOf(call);
  await scanned(call);
  await lrs.documents.merge(address, content, { version, conditions: readConditions(call) });
  return noContent();
}

async function deleteDocuments(call: XapiCall, selection: DocumentSelection): Promise<HttpResponse> {
  const { documents } = call.lrs;
  const conditions = readConditions(call);
  await ('address' in selection
    ? documents.delete(selection.address, conditions)
    : documents.deleteAll(selection.collection, conditions));
  return noContent();
}

/** @throws MalwareError, UnavailableError where malware is looked for. */
function scanned({ lrs, body, principal }: XapiCall): Promise<void> | undefined {
  return lrs.scanner?.check([{ name: 'document', bytes: body }], nameOfPrincipal(principal));
}

function queryOf(kind: DocumentKind, { query, version }: XapiCall): DocumentQuery {
  return { kind, query, version };
}

function contentOf({ headers, body }: XapiCall): DocumentContent {
  const contentType = headers['content-type'] || 'application/octet-stream';
  if (isMediaType(contentType)) return { contentType, content: body };
  throw new InvalidError('The header Content-Type must be a media type such as application/json (RFC 2046).');
}
