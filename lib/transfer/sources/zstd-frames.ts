import { InvalidError } from '../../errors.ts';

/**
 * Bytes of a window at most, as for the program `zstd` without `--memory` or `--long`. The decompressor reserves as many for each
 * frame, and a file of some bytes can ask for 2 GiB.
 */
const largestWindow = 128 * 1024 * 1024;

const frameMagic = 0xfd2fb528;
const checksumBytes = 4;
const lengthsOfDictionaryId = [0, 1, 2, 4] as const;
const lengthsOfContentSize = [0, 2, 4, 8] as const;
const blockOfOneByte = 1;

/** What is looked at next: so many bytes are skipped, and so many behind them are needed. */
interface Wanted {
  readonly skip: number;
  readonly need: number;
}

/** Looks at the heads of the frames of a file that zstd has compressed (RFC 8878 3.1), in whatever pieces it comes. */
export class ZstdFrames {
  readonly #walk = walk();
  #skip = 0;
  #need = 0;
  #held: Buffer = Buffer.alloc(0);

  constructor() {
    this.#goOn(Buffer.alloc(0));
  }

  /**
   * Call it before the bytes are given to a decompressor, which says what else is wrong with them.
   * @throws InvalidError for a frame whose window takes too much memory.
   */
  check(bytes: Buffer): void {
    for (let rest = bytes; ; ) {
      const skipped = Math.min(this.#skip, rest.length);
      this.#skip -= skipped;
      const taken = rest.subarray(skipped, skipped + this.#need - this.#held.length);
      rest = rest.subarray(skipped + taken.length);
      if (taken.length > 0) this.#held = Buffer.concat([this.#held, taken]);
      if (this.#skip > 0 || this.#held.length < this.#need) return;
      this.#goOn(this.#held);
    }
  }

  #goOn(needed: Buffer): void {
    const { value } = this.#walk.next(needed);
    this.#held = Buffer.alloc(0);
    this.#skip = value.skip;
    this.#need = value.need;
  }
}

/** Gets what it has asked for. */
function* walk(): Generator<Wanted, never, Buffer> {
  for (let skip = 0; ; ) {
    const magic = (yield { skip, need: 4 }).readUInt32LE();
    if (magic === frameMagic) {
      skip = yield* frame();
    } else {
      skip = (yield { skip: 0, need: 4 }).readUInt32LE();
    }
  }
}

/** @returns the bytes of its checksum, which are to be skipped. */
function* frame(): Generator<Wanted, number, Buffer> {
  const descriptor = (yield { skip: 0, need: 1 }).readUInt8();
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeLength = sizeFlag === 0 && isSingleSegment ? 1 : (lengthsOfContentSize[sizeFlag] ?? 0);
  if (!isSingleSegment) requireWindow(windowOf((yield { skip: 0, need: 1 }).readUInt8()));
  const skip = lengthsOfDictionaryId[(descriptor & 3) as 0 | 1 | 2 | 3];
  const size = yield { skip, need: sizeLength };
  if (isSingleSegment) requireWindow(sizeOf(size));
  yield* blocks();
  return (descriptor & 4) === 0 ? 0 : checksumBytes;
}

/** Goes through those of a frame. */
function* blocks(): Generator<Wanted, void, Buffer> {
  for (let skip = 0; ; ) {
    const header = (yield { skip, need: 3 }).readUIntLE(0, 3);
    const isOneByte = ((header >> 1) & 3) === blockOfOneByte;
    skip = isOneByte ? 1 : header >> 3;
    if ((header & 1) === 0) continue;
    yield { skip, need: 0 };
    return;
  }
}

/** What the byte of the window says (RFC 8878 3.1.1.1.2). */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** The window of a frame of a single segment is as large as its content. */
function sizeOf(field: Buffer): number {
  if (field.length === 8) return Number(field.readBigUInt64LE());
  return field.readUIntLE(0, field.length) + (field.length === 2 ? 256 : 0);
}

function requireWindow(bytes: number): void {
  if (bytes <= largestWindow) return;
  throw new InvalidError(
    `a frame of zstd needs a window of ${bytes} bytes, and an import has room for ${largestWindow}: compress it anew, without --long or with --long=27`,
  );
}
