/** The atoms of RFC 5322 in the local part, a host name or address literal after the `@`; other scripts in both (RFC 6531). */
const mailbox =
  /^mailto:[!#$%&'*+\-./0-9=?A-Z^_`a-z{|}~\u{a1}-\u{d7ff}\u{e000}-\u{10fffd}]+@(?:[-.0-9A-Z_a-z\u{a1}-\u{d7ff}\u{e000}-\u{10fffd}]+|\[[0-9A-Fa-f:.IPv]+\])$/u;

const sha1 = /^[0-9a-f]{40}$/i;

/** Whether the text is a mailto IRI with one e-mail address and nothing else (xAPI 1.0.3 Data 2.4.2.3). */
export function isMailbox(text: string): boolean {
  return mailbox.test(text);
}

/** Whether the text is a hex-encoded SHA-1 hash (xAPI 1.0.3 Data 2.4.2.3). */
export function isMailboxHash(text: string): boolean {
  return sha1.test(text);
}
