/** Whether a byte is white space between the parts of a JSON text (RFC 8259 2). */
export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
