/** The value of one parameter of a Content-Type header, quotes resolved (RFC 2045 5.1); undefined when it is not there. */
export function parameterOf(contentType: string, name: string): string | undefined {
  const parameter = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  for (const [, found = '', quoted, token] of contentType.matchAll(parameter)) {
    if (found.toLowerCase() === name) return quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1');
  }
  return undefined;
}
