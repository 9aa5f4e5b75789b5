/** Whether only the first rows of an export are asked for, to be looked at. */
export function asksForPreview(query: URLSearchParams): boolean {
  return query.get('preview') === 'true';
}
