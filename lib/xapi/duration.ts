/** Each component may have a fraction, but the leading look-ahead lets nothing follow the one that does. */
const duration =
  /^P(?!.*[.,]\d+[A-Z].)(?=\d|T\d)(?:\d+(?:[.,]\d+)?W|(?:\d+(?:[.,]\d+)?Y)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?D)?(?:T(?=\d)(?:\d+(?:[.,]\d+)?H)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?S)?)?)$/;

/**
 * Whether the text is a duration of ISO 8601:2004 section 4.4.3.2: `PnYnMnDTnHnMnS` or `PnW`, at least one component, a
 * fraction only in the smallest one given (xAPI 1.0.3 Data 4.6).
 */
export function isDuration(text: string): boolean {
  return duration.test(text);
}
