/**
 * bcrypt over bytes as they are. What others offer, bcryptjs too, takes a text and puts a zero byte behind it, and so cannot
 * check the passwords of stores that hash a digest (`lrsql-password.mjs`). Niels Provos and David Mazières, "A Future-Adaptable
 * Password Scheme", 1999.
 */

const rounds = 16;
const subkeys = rounds + 2;
const boxWords = 4 * 256;
const magic = Buffer.from('OrpheanBeholderScryDoubt');

/** @type {Int32Array | undefined} */
let initial;

/**
 * @param {Buffer} password 1 to 72 bytes
 * @param {Buffer} salt 16 bytes
 * @param {number} cost the logarithm to the base 2 of the number of rounds
 * @returns {Buffer} 24 bytes
 */
export function rawBcrypt(password, salt, cost) {
  initial ??= digitsOfPi(subkeys + boxWords);
  const cipher = new Blowfish(initial);
  const key = wordsOf(password, subkeys);
  const salted = wordsOf(salt, subkeys);
  cipher.expand(key, wordsOf(salt, 4));
  const none = new Int32Array(4);
  for (let round = 2 ** cost; round > 0; round -= 1) {
    cipher.expand(key, none);
    cipher.expand(salted, none);
  }
  const text = wordsOf(magic, magic.length / 4);
  for (let at = 0; at < text.length; at += 2) {
    for (let time = 0; time < 64; time += 1) cipher.encipher(text, at);
  }
  const hash = Buffer.alloc(magic.length);
  for (const [index, word] of text.entries()) hash.writeInt32BE(word, index * 4);
  return hash;
}

class Blowfish {
  /** The two halves of a block. */
  #block = new Int32Array(2);
  #words;

  /** @param {Int32Array} words the subkeys and the boxes, end to end */
  constructor(words) {
    this.#words = Int32Array.from(words);
  }

  /**
   * @param {Int32Array} key as many words as there are subkeys
   * @param {Int32Array} salt four words
   */
  expand(key, salt) {
    const words = this.#words;
    const block = this.#block.fill(0);
    for (let index = 0; index < subkeys; index += 1) words[index] ^= key[index];
    for (let index = 0; index < words.length; index += 2) {
      block[0] ^= salt[index & 2];
      block[1] ^= salt[(index & 2) + 1];
      encipher(words, block, 0);
      words[index] = block[0];
      words[index + 1] = block[1];
    }
  }

  /**
   * @param {Int32Array} text
   * @param {number} at the first of the two words
   */
  encipher(text, at) {
    encipher(this.#words, text, at);
  }
}

/**
 * @param {Int32Array} words
 * @param {Int32Array} text
 * @param {number} at
 */
function encipher(words, text, at) {
  let left = text[at];
  let right = text[at + 1];
  for (let round = 0; round < rounds; round += 2) {
    left ^= words[round];
    right ^= mixed(words, left) ^ words[round + 1];
    left ^= mixed(words, right);
  }
  text[at] = right ^ words[rounds + 1];
  text[at + 1] = left ^ words[rounds];
}

/**
 * @param {Int32Array} words
 * @param {number} word
 */
function mixed(words, word) {
  const first = (words[subkeys + (word >>> 24)] + words[subkeys + 256 + ((word >>> 16) & 0xff)]) | 0;
  return ((first ^ words[subkeys + 512 + ((word >>> 8) & 0xff)]) + words[subkeys + 768 + (word & 0xff)]) | 0;
}

/**
 * The bytes, again and again, as big-endian words.
 * @param {Buffer} bytes
 * @param {number} count
 */
function wordsOf(bytes, count) {
  return Int32Array.from({ length: count }, (_, index) => {
    let word = 0;
    for (let byte = 0; byte < 4; byte += 1) word = (word << 8) | bytes[(index * 4 + byte) % bytes.length];
    return word;
  });
}

/**
 * The binary digits of π behind the point, of which the cipher's first subkeys and boxes consist (Machin's formula).
 * @param {number} count words of 32 bits
 */
function digitsOfPi(count) {
  const spare = 64n;
  const bits = BigInt(count) * 32n + spare;
  const pi = 16n * arctangentOfInverse(5n, bits) - 4n * arctangentOfInverse(239n, bits);
  const hex = (pi >> spare).toString(16).slice(1);
  return Int32Array.from({ length: count }, (_, index) => Number(`0x${hex.slice(index * 8, index * 8 + 8)}`));
}

/**
 * @param {bigint} inverse
 * @param {bigint} bits behind the point
 */
function arctangentOfInverse(inverse, bits) {
  const square = inverse * inverse;
  let power = (1n << bits) / inverse;
  let sum = 0n;
  for (let divisor = 1n; power !== 0n; divisor += 2n) {
    const term = power / divisor;
    sum += divisor % 4n === 1n ? term : -term;
    power /= square;
  }
  return sum;
}
