/** `Authorization` for a key pair, of whatever characters (RFC 7617, 2.1). */
export function basicAuthorization(apiKey: string, secretKey: string): string {
  const bytes = new TextEncoder().encode(`${apiKey}:${secretKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
