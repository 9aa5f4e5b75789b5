import type { ReadSession } from '../../db/types.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { Statement } from '../../xapi/types.ts';

/** The most bytes that are read at once, unless a single statement has more. */
const slice = 1_048_576;

/**
 * The stored statements whose ids incoming ones have. They are read in slices, on demand, because they may have many
 * megabytes.
 */
export class TakenStatements {
  readonly #session: ReadSession;
  /** The length in bytes of those not read yet, by id, in the order of demand. */
  readonly #unread: Map<string, number>;
  /** The texts that were read and not yet used. */
  #texts = new Map<string, string>();

  private constructor(session: ReadSession, unread: Map<string, number>) {
    this.#session = session;
    this.#unread = unread;
  }

  /**
   * @param ids in the order in which they are needed.
   * @param check receives the number of statements and their total bytes; may throw to refuse them.
   */
  static async of(
    session: ReadSession,
    ids: readonly string[],
    check: (statements: number, bytes: number) => void,
  ): Promise<TakenStatements> {
    const rows = await session.select<{ id: string; bytes: number }>(
      'SELECT id, OCTET_LENGTH(payload) AS bytes FROM statement WHERE id IN (:ids)',
      { ids },
    );
    check(
      rows.length,
      rows.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
    const unread = new Map<string, number>();
    for (const id of ids) {
      const bytes = sizes.get(id);
      if (bytes !== undefined) unread.set(id, bytes);
    }
    return new TakenStatements(session, unread);
  }

  /** The stored statement with this id, if there is one. */
  async find(id: string): Promise<Statement | undefined> {
    if (!this.#texts.has(id)) {
      if (!this.#unread.has(id)) return undefined;
      await this.#readFrom(id);
    }
    const text = this.#texts.get(id);
    return text === undefined ? undefined : parseStored(text).statement;
  }

  /** Reads the statement and some of those after it. Those before it are not needed again, or can be read once more. */
  async #readFrom(first: string): Promise<void> {
    const ids = [first];
    let left = slice - (this.#unread.get(first) ?? 0);
    let isBehind = false;
    for (const [id, bytes] of this.#unread) {
      if (isBehind) {
        left -= bytes;
        if (left < 0) break;
        ids.push(id);
      }
      isBehind ||= id === first;
    }
    const rows = await this.#session.select<{ id: string; payload: string }>(
      'SELECT id, payload FROM statement WHERE id IN (:ids)',
      { ids },
    );
    this.#texts = new Map(rows.map(({ id, payload }) => [id, payload]));
  }
}
