/** The media type of a Content-Type header without its parameters, in lower case: `text/plain` of `Text/Plain; charset=x`. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** The value of one parameter of a Content-Type header, quotes resolved (RFC 2045 5.1); undefined when it is not there. */
export function parameterOf(contentType: string, name: string): string | undefined {
  const parameter = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  for (const [, found = '', quoted, token] of contentType.matchAll(parameter)) {
    if (found.toLowerCase() === name) return quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1');
  }
  return undefined;
}
