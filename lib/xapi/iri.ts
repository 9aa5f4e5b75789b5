/**
 * Every character that RFC 3987 permits somewhere in an IRI, after a scheme of RFC 3986. What each component permits on its
 * own is left open: xAPI lets an LRS validate IRIs by best effort, and strictness here would refuse identifiers in use.
 */
const iri =
  /^[A-Za-z][A-Za-z0-9+.-]*:[!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~\u{a0}-\u{d7ff}\u{e000}-\u{10fffd}]+$/u;

/**
 * Whether the text is an IRI (or IRL, or URI): a scheme, a colon and something after it, without blanks, control
 * characters and any of `<>"{}|\^` and the backtick (xAPI 1.0.3 Data 2.2 and 4.3).
 */
export function isIri(text: string): boolean {
  return iri.test(text);
}
