const mediaType =
  /^[0-9A-Za-z][-!#$&+.0-9A-Z^_a-z]*\/[0-9A-Za-z][-!#$&+.0-9A-Z^_a-z]*(?:[ \t]*;(?:[ \t]*[-!#$%&'*+.0-9A-Z^_`a-z|~]+=(?:[-!#$%&'*+.0-9A-Z^_`a-z|~]+|"(?:[\t !#-[\]-~]|\\[\t -~])*"))?)*[ \t]*$/;

/** Far beyond any media type in use, and within what the pattern above can take without exhausting the stack. */
const maxLength = 10_000;

/** Whether the text is an Internet media type with optional parameters, such as `text/plain; charset=utf-8` (RFC 2046). */
export function isMediaType(text: string): boolean {
  return text.length <= maxLength && mediaType.test(text);
}

/** The media type without its parameters, in lower case: `text/plain` of `Text/Plain; charset=utf-8`. */
export function withoutParameters(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}
