/** The token of a header `Authorization: Bearer` (RFC 6750 2.1); undefined when there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
