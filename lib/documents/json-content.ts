import { Gate } from '../db/gate.ts';
import { giveWay } from '../in-turns.ts';
import { JsonChecker } from '../json/checker.ts';

/** Up to this many bytes are scanned without a pause: a millisecond. */
export const quickBytes = 64 * 1024;
/** So many bytes of a larger text are scanned between two pauses. */
const sliceBytes = 32 * 1024;

/** Scans one large text at a time, with pauses, so that other requests wait for none of them. */
export class JsonContentScanner {
  readonly #large = new Gate();

  /**
   * @param mostMembers so many members of the outermost object are noted at most.
   * @returns a scanner at the end of the text.
   * @throws InvalidError for what is not JSON, naming the place.
   */
  async scan(content: Buffer, mostMembers: number): Promise<JsonChecker> {
    if (content.length <= quickBytes) return scanAtOnce(content, mostMembers);
    const scanner = new JsonChecker(content, mostMembers);
    await this.#large.exclusive(async () => {
      while (!scanner.advance(sliceBytes)) await giveWay();
    });
    return scanner;
  }
}

/** The same for a small text. */
export function scanAtOnce(content: Buffer, mostMembers: number): JsonChecker {
  const scanner = new JsonChecker(content, mostMembers);
  scanner.advance(content.length);
  return scanner;
}
