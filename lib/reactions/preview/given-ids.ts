import { NotFoundError } from '../../errors.ts';
import type { Pausing } from '../../in-turns.ts';
import type { StatementService } from '../../statements/types.ts';
import { asSent, digestOf, type StatementDigest, sameDigest } from '../../xapi/statement/equal.ts';
import { parseStoredValues } from '../../xapi/statement/stored-statement.ts';
import type { Statement } from '../../xapi/types.ts';
import { idTaken } from '../failure.ts';

/** So many ids are remembered; beyond them, what has the id of another one that the preview makes is not noticed. */
const mostIds = 1000;

const exact = { format: 'exact', attachments: false, languages: [] } as const;

export interface GivenIdsOptions {
  readonly statements: Pick<StatementService, 'get'>;
  readonly pauses: Pausing;
  /** Is told of the bytes of each stored statement that is read. */
  readonly onRead: (bytes: number) => void;
}

/** What a preview makes with ids that the template gives: as when statements are stored, an id is taken once. */
export class GivenIds {
  readonly #options: GivenIdsOptions;
  /** Of the statements that have an id, whether they are stored or the preview makes them. */
  readonly #known = new Map<string, StatementDigest>();

  constructor(options: GivenIdsOptions) {
    this.#options = options;
  }

  /**
   * @returns whether the statement would be stored; not one that is there already, the same.
   * @throws ReactionFailure when another statement has its id.
   */
  async take({ id, statement }: Given): Promise<boolean> {
    const digest = await digestOf(statement, () => this.#options.pauses.pause());
    const existing = this.#known.get(id) ?? (await this.#stored(id));
    if (this.#known.size < mostIds) this.#known.set(id, existing ?? digest);
    if (existing !== undefined && !sameDigest(existing, digest)) throw idTaken(id);
    return existing === undefined;
  }

  /** Reads and parses it, of which nothing but the digest is kept: it may have megabytes. */
  async #stored(id: string): Promise<StatementDigest | undefined> {
    const { statements, pauses, onRead } = this.#options;
    for (const voided of [false, true]) {
      try {
        const [found] = (await statements.get({ id, voided }, exact)).statements;
        if (found === undefined) return undefined;
        onRead(found.text.length);
        const statement = parseStoredValues(found.text);
        const pause = pauses.pause();
        if (pause !== undefined) await pause;
        return await digestOf(asSent(statement), () => pauses.pause());
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    return undefined;
  }
}

interface Given {
  /** In lower case. */
  readonly id: string;
  readonly statement: Statement;
}
