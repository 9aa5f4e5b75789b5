import type { Socket } from 'node:net';
import type { Connection, UpsertResult } from 'mariadb';
import type { InsertRow, KeyedNumbers, Replacements, TableShape } from '../../types.ts';
import type { ServerConnection } from '../server/engine.ts';
import { errorNumber, rollingBack } from './dialect.ts';
import { PacketLimit } from './packet-limit.ts';
import { bindParameters, type MariadbBulk, type MariadbQuery, plainRows } from './sql.ts';
import { beginSql, commitSql, rollbackSql } from './transaction-sql.ts';

/** Seconds that a process waits for another one that migrates. */
const migrationPatience = 600;

/** A connection of the `mariadb` driver, spoken to in its binary protocol. */
export class MariadbConnection implements ServerConnection {
  protected readonly driver: Connection;
  readonly #socket: Pick<Socket, 'cork' | 'uncork'> | undefined;
  readonly #packetLimit: PacketLimit;
  rolledBackBy: unknown;

  constructor(
    connection: Connection,
    socket?: Pick<Socket, 'cork' | 'uncork'>,
    packetLimit = new PacketLimit(),
  ) {
    this.driver = connection;
    this.#socket = socket;
    this.#packetLimit = packetLimit;
  }

  async select<Row extends object>(sql: string, replacements: Replacements = {}): Promise<Row[]> {
    const query = bindParameters(sql, replacements);
    this.#packetLimit.require(query);
    return this.prepared<Row[]>(query);
  }

  async execute(sql: string, replacements: Replacements = {}): Promise<void> {
    const query = bindParameters(sql, replacements);
    this.#packetLimit.require(query);
    const { affectedRows } = await this.#execute(query);
    // For a DELETE that is killed before it begins, the server reports success with no removed rows.
    if (affectedRows === 0 && /^\s*DELETE\b/i.test(sql)) await this.#execute(query);
  }

  #execute({ sql, values }: MariadbQuery): Promise<UpsertResult> {
    // Some statements, such as DDL, cannot be prepared; those have no values.
    return values.length === 0 ? this.query(sql) : this.prepared({ sql, values });
  }

  async insert(table: TableShape, rows: readonly InsertRow[], options = { skipTaken: false }) {
    if (rows.length > 0) await this.#inPackets(plainRows.insert(table, rows, options.skipTaken));
  }

  async upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]) {
    if (rows.length > 0) await this.#inPackets(plainRows.upsert(table, rows, replaced));
  }

  async insertByKey(table: TableShape, rows: KeyedNumbers) {
    if (rows.keys.length > 0) await this.#inPackets(plainRows.insertByKey(table, rows));
  }

  async begin(): Promise<void> {
    await this.inOneMessage(() => this.query(beginSql));
  }

  async commit(): Promise<void> {
    await this.query(commitSql);
  }

  async rollback(): Promise<void> {
    await this.query(rollbackSql);
  }

  async limitStatements(milliseconds: number): Promise<void> {
    await this.query(`SET SESSION max_statement_time = ${milliseconds / 1000}`);
  }

  async migrate<T>(work: () => Promise<T>): Promise<T> {
    const lock = "CONCAT('serverless-lrs ', LEFT(DATABASE(), 48))";
    const query = `SELECT GET_LOCK(${lock}, ${migrationPatience}) AS taken`;
    const [row] = await this.query<{ taken: number | null }[]>(query);
    if (row?.taken !== 1) throw new Error('Another process did not end its migrations in time.');
    try {
      return await work();
    } finally {
      await this.query(`DO RELEASE_LOCK(${lock})`);
    }
  }

  /**
   * Everything sent in one turn of the event loop travels as one message: the driver prepares a statement and runs it with two
   * commands, and the next statement often follows at once.
   */
  inOneMessage<T>(send: () => T): T {
    this.#socket?.cork();
    process.nextTick(() => this.#socket?.uncork());
    return send();
  }

  protected query<Result>(sql: string): Promise<Result> {
    return this.noting(this.driver.query<Result>(sql));
  }

  protected prepared<Result>({ sql, values }: MariadbQuery): Promise<Result> {
    return this.noting(this.inOneMessage(() => this.driver.execute<Result>(sql, values)));
  }

  /** Notes the error with which the transaction may have been rolled back. */
  protected noting<Result>(statement: Promise<Result>): Promise<Result> {
    statement.catch((error: unknown) => {
      if (rollingBack.has(errorNumber(error))) this.rolledBackBy ??= error;
    });
    return statement;
  }

  async #inPackets(bulk: MariadbBulk): Promise<void> {
    for (const part of this.#packetLimit.split(bulk)) await this.bulk(part);
  }

  /** The driver sends many rows only when their statement is prepared; one goes with the preparation. */
  protected async bulk({ sql, rows }: MariadbBulk): Promise<void> {
    const [row = []] = rows;
    if (rows.length === 1) await this.#execute({ sql, values: row });
    else await this.noting(this.driver.batch(sql, rows));
  }
}
