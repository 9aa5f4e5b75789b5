/** The content of a document, by the way it is shown. */
export type Content =
  | { readonly form: 'json' | 'text'; readonly blob: Blob; readonly text: string }
  | { readonly form: 'image' | 'binary'; readonly blob: Blob }
  | { readonly form: 'large' };

/** What isn't an image is looked at itself: authoring tools announce their texts as anything. */
export async function contentOf(blob: Blob, contentType: string): Promise<Content> {
  if (isImage(contentType)) return { form: 'image', blob };
  const text = readable(await blob.arrayBuffer());
  if (text === undefined) return { form: 'binary', blob };
  return { form: isJsonType(contentType) && isJson(text) ? 'json' : 'text', blob, text };
}

export function isImage(contentType: string): boolean {
  return /^image\//i.test(contentType);
}

function isJsonType(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(contentType);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Undefined for bytes that are no text in UTF-8. */
function readable(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
