import { queryOptions } from '@tanstack/react-query';
import type { DocumentName } from '../../api/browse-pages.ts';
import { sendXapi, type XapiAccess } from '../../api/xapi.ts';
import { type Content, contentOf, isImage } from './content.ts';
import { parametersOf, resourceOf, textOfName } from './document-name.ts';

/** A document as the server has sent it. */
export interface ReadDocument {
  readonly etag: string;
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  readonly updated: string | undefined;
  readonly content: Content;
}

/** What has more bytes than this is downloaded when somebody asks for it. */
const mostShown = 300_000;
const largestImage = 10_000_000;

export function documentQuery(xapi: XapiAccess, name: DocumentName) {
  return queryOptions({
    queryKey: ['document', xapi.credential['api-key'], textOfName(name)],
    queryFn: ({ signal }) => readDocument(xapi, name, signal),
  });
}

async function readDocument(
  xapi: XapiAccess,
  name: DocumentName,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const response = await sendXapi(xapi, resourceOf(name), { query: parametersOf(name), signal });
  const { headers } = response;
  const contentType = headers.get('Content-Type') ?? '';
  const announced = headers.get('Content-Length');
  const isLarge = Number(announced) > (isImage(contentType) ? largestImage : mostShown);
  if (isLarge) await response.body?.cancel();
  const content: Content = isLarge ? { form: 'large' } : await contentOf(await response.blob(), contentType);
  return {
    etag: headers.get('ETag') ?? '',
    contentType,
    length: 'blob' in content ? content.blob.size : Number(announced),
    updated: headers.get('Last-Modified') ?? undefined,
    content,
  };
}

/** The whole content, however large. */
export async function downloadDocument(xapi: XapiAccess, name: DocumentName): Promise<Blob> {
  return (await sendXapi(xapi, resourceOf(name), { query: parametersOf(name) })).blob();
}

/** The state that a change is meant for. */
type Known = Pick<ReadDocument, 'etag' | 'contentType'>;

/** Puts the text in the place of the content. @throws ApiError, with 412 when the document has changed since it was read. */
export async function replaceDocument(
  xapi: XapiAccess,
  name: DocumentName,
  { etag, contentType, text }: Known & { readonly text: string },
): Promise<void> {
  await sendXapi(xapi, resourceOf(name), {
    method: 'PUT',
    query: parametersOf(name),
    headers: { 'If-Match': etag, 'Content-Type': contentType },
    body: text,
  });
}

/** @throws ApiError as above. */
export async function deleteDocument(
  xapi: XapiAccess,
  name: DocumentName,
  { etag }: Pick<Known, 'etag'>,
): Promise<void> {
  const headers = { 'If-Match': etag };
  await sendXapi(xapi, resourceOf(name), { method: 'DELETE', query: parametersOf(name), headers });
}
