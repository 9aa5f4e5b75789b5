import type { ReadSession } from '../../db/types.ts';
import type { Pausing } from '../../in-turns.ts';
import { asSent, digestOf, type StatementDigest } from '../../xapi/statement/equal.ts';
import { parseStoredValues } from '../../xapi/statement/stored-statement.ts';

/** The most bytes that are read at once, unless a single statement has more. */
const slice = 1_048_576;

/**
 * The stored statements whose ids incoming ones have. They are read in slices, on demand, because they may have many
 * megabytes; each is parsed once, however many have its id, and only its digest is kept.
 */
export class TakenStatements {
  readonly #session: ReadSession;
  /** The length in bytes of those not parsed yet, by id, in the order of demand. */
  readonly #unparsed: Map<string, number>;
  /** The texts that were read and not yet used. */
  #texts = new Map<string, string>();
  readonly #digests = new Map<string, StatementDigest>();

  private constructor(session: ReadSession, unparsed: Map<string, number>) {
    this.#session = session;
    this.#unparsed = unparsed;
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
    const unparsed = new Map<string, number>();
    for (const id of ids) {
      const bytes = sizes.get(id);
      if (bytes !== undefined) unparsed.set(id, bytes);
    }
    return new TakenStatements(session, unparsed);
  }

  /** The digest of the stored statement with this id, without what an LRS assigns; undefined when there is none. */
  find(id: string, pauses: Pausing): Promise<StatementDigest | undefined> | StatementDigest | undefined {
    return this.#unparsed.has(id) ? this.#digest(id, pauses) : this.#digests.get(id);
  }

  async #digest(id: string, pauses: Pausing): Promise<StatementDigest | undefined> {
    if (!this.#texts.has(id)) await this.#readFrom(id);
    const text = this.#texts.get(id);
    if (text === undefined) return undefined;
    const statement = parseStoredValues(text);
    await pauses.pause();
    const digest = await digestOf(asSent(statement), () => pauses.pause());
    this.#texts.delete(id);
    this.#unparsed.delete(id);
    this.#digests.set(id, digest);
    return digest;
  }

  /** Reads the statement and some of those after it. Those before it are not needed again, or can be read once more. */
  async #readFrom(first: string): Promise<void> {
    const ids = [first];
    let left = slice - (this.#unparsed.get(first) ?? 0);
    let isBehind = false;
    for (const [id, bytes] of this.#unparsed) {
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
