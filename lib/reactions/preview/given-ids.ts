import { NotFoundError } from '../../errors.ts';
import type { StatementService } from '../../statements/types.ts';
import { asSent, sameStatement } from '../../xapi/statement/equal.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { Statement } from '../../xapi/types.ts';
import { idTaken } from '../failure.ts';

/** So many statements, and so many bytes of them, are remembered; what has the id of another one is not noticed. */
const most = { statements: 1000, bytes: 1_048_576 };

const exact = { format: 'exact', attachments: false, languages: [] } as const;

/** What a preview makes with ids that the template gives: as when statements are stored, an id is taken once. */
export class GivenIds {
  readonly #statements: Pick<StatementService, 'get'>;
  readonly #known = new Map<string, Statement>();
  #bytes = 0;

  constructor(statements: Pick<StatementService, 'get'>) {
    this.#statements = statements;
  }

  /**
   * @returns whether the statement would be stored; not one that is there already, the same.
   * @throws ReactionFailure when another statement has its id.
   */
  async take({ id, statement, bytes }: Given): Promise<boolean> {
    const existing = this.#known.get(id) ?? (await this.#stored(id));
    if (existing === undefined) {
      if (this.#known.size < most.statements && this.#bytes + bytes <= most.bytes) {
        this.#known.set(id, statement);
        this.#bytes += bytes;
      }
      return true;
    }
    if (!sameStatement(existing, statement)) throw idTaken(id);
    return false;
  }

  async #stored(id: string): Promise<Statement | undefined> {
    for (const voided of [false, true]) {
      try {
        const { statements } = await this.#statements.get({ id, voided }, exact);
        const [found] = statements;
        return found && asSent(parseStored(found.text).statement);
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
  readonly bytes: number;
}
