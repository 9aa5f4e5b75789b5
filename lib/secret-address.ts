/** Whether a text that was not understood may be an address with a password or a secret key, so that no message shows it. */
export const mayHoldSecret = (text: string): boolean => /:.*@|(pass\w*|pwd|secret)=/is.test(text);

/**
 * Reads an address that may have a password.
 * @throws TypeError also where a character of the password had to be encoded, such as /: what is before it would be taken for a
 *   port, which messages show.
 */
export function parseSecretAddress(text: string): URL {
  const url = new URL(text);
  const behind = [url.pathname, url.hash, ...url.searchParams.keys()];
  if (url.username === '' && behind.some((part) => part.includes('@'))) throw new TypeError('Invalid URL');
  return url;
}
