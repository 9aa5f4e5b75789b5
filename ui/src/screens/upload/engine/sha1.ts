/**
 * SHA-1 (RFC 3174), which a UUID of version 5 is made with. Browsers have one, but not on pages that came without TLS.
 */
export function sha1(message: Uint8Array): Uint8Array {
  const hash = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const padded = pad(message);
  const words = new Uint32Array(80);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = padded.getUint32(block + 4 * at);
    for (let at = 16; at < 80; at += 1) words[at] = rotate(mixed(words, at), 1);
    digestBlock(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(20));
  hash.forEach((word, at) => {
    digest.setUint32(4 * at, word);
  });
  return new Uint8Array(digest.buffer);
}

/** A one, zeros and the length in bits, up to whole blocks of 64 bytes. */
function pad(message: Uint8Array): DataView {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  return view;
}

function digestBlock(hash: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = hash;
  for (let at = 0; at < 80; at += 1) {
    const next = (rotate(a, 5) + round(at, b, c, d) + e + (words[at] ?? 0)) >>> 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  [a, b, c, d, e].forEach((word, at) => {
    hash[at] = (hash[at] ?? 0) + word;
  });
}

function round(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (at < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function mixed(words: Uint32Array, at: number): number {
  return (words[at - 3] ?? 0) ^ (words[at - 8] ?? 0) ^ (words[at - 14] ?? 0) ^ (words[at - 16] ?? 0);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
