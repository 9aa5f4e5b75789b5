import { createHash, type Hash } from 'node:crypto';
import type { TransferRecord } from './records.ts';

const bits = 256;

/**
 * A sum of hashes that tells whether two readings of a source have given the same records, in whatever order and however often
 * they were interrupted. Passwords and secret keys have no part in it, because it is written into a file.
 */
export class RecordSum {
  #sum: bigint;

  /** @param text of a sum that is continued. */
  constructor(text = '0') {
    this.#sum = BigInt(`0x${text}`);
  }

  add(record: TransferRecord): void {
    const hash = createHash('sha256').update(record.kind).update('\n');
    update(hash, record);
    this.#sum = BigInt.asUintN(bits, this.#sum + BigInt(`0x${hash.digest('hex')}`));
  }

  /** In hexadecimal. */
  get text(): string {
    return this.#sum.toString(16);
  }
}

function update(hash: Hash, record: TransferRecord): void {
  switch (record.kind) {
    case 'statement': {
      const { json, parts, carries, voided } = record;
      hash.update(JSON.stringify([voided, carries, parts.map(({ sha2 }) => sha2)])).update(json);
      return;
    }
    case 'document': {
      const { address, document, updated } = record;
      hash.update(JSON.stringify([address, document.contentType, updated])).update(document.content);
      return;
    }
    case 'account':
      hash.update(JSON.stringify({ ...record, passwordHash: undefined }));
      return;
    case 'keyPair':
      hash.update(JSON.stringify({ ...record, secretKey: undefined }));
      return;
    default:
      hash.update(JSON.stringify(record));
  }
}
