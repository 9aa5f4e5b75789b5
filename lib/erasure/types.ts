/** Tables that hold records of an actor. */
export const erasedTables = [
  'statement',
  'statement_key',
  'statement_reference',
  'statement_attachment',
  'attachment',
  'agent',
  'agent_name',
  'document',
] as const;
export type ErasedTable = (typeof erasedTables)[number];

/** How many rows, by table. */
export type RowCounts = Readonly<Record<ErasedTable, number>>;

/**
 * Hard deletion of all that is recorded of an actor, given by its identifier (`identifierOf`): the statements that mention
 * it in any role, with their index entries, references and attachments, the names it was given, and its documents.
 */
export interface ErasureService {
  /** What `erase` would remove. */
  count(identifier: string): Promise<RowCounts>;
  /**
   * Removes it, in small transactions; one that was interrupted goes on where it stopped.
   * @returns what was removed since it began.
   */
  erase(identifier: string): Promise<RowCounts>;
  /** Ends what a crash has interrupted. Stops early after `stop`. */
  resume(): Promise<void>;
  /**
   * The same until a deadline (milliseconds since the epoch), after which no transaction begins.
   * @returns whether nothing is left.
   */
  resumeUntil(deadline: number): Promise<boolean>;
  /** Lets erasures that run end after their present transaction. */
  stop(): void;
}
