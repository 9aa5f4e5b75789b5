const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a UUID in the standard string form, in either case. Version and variant are free: the RFC 4122 variant
 * is a recommendation, and the specification's own examples have others (xAPI 1.0.3 Data 2.4, 4.4).
 */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
