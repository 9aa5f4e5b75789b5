const sha2 = /^(?:[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** Whether the text is the hex digits of SHA-224, SHA-256, SHA-384 or SHA-512 (xAPI 1.0.3 Data 2.4.11). */
export function isSha2(text: string): boolean {
  return sha2.test(text);
}
