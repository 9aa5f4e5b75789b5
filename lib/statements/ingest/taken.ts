import type { ReadSession } from '../../db/types.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { Statement } from '../../xapi/types.ts';

/** So many bytes are read at once, unless one statement alone has more. */
const slice = 1_048_576;

/**
 * The stored statements that have ids of incoming ones. They are read a slice at a time, as they are asked for, because
 * there may be many megabytes of them.
 */
export class TakenStatements {
  readonly #session: ReadSession;
  /** Bytes of those that have not been read, by id, in the order in which they will be asked for. */
  readonly #unread: Map<string, number>;
  /** Texts of those that have been read and not been asked for. */
  #texts = new Map<string, string>();

  private constructor(session: ReadSession, unread: Map<string, number>) {
    this.#session = session;
    this.#unread = unread;
  }

  /**
   * @param ids in the order in which they will be asked for.
   * @param check told how many statements there are, and how many bytes they have together; may refuse by throwing.
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

  /** Reads the statement and some of those behind it. Those before it are not asked for any more, or once again. */
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
