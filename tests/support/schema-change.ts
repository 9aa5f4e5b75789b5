import { factsOf } from '../../lib/db/dialects/facts.ts';
import { markSql } from '../../lib/db/dialects/mariadb/transaction-sql.ts';
import type { WriteSession } from '../../lib/db/types.ts';

/** Runs DDL in a writing transaction. On MariaDB it ends the transaction, so another one is begun. */
export async function changeSchema(
  session: Pick<WriteSession, 'dialect' | 'execute'>,
  sql: string,
): Promise<void> {
  await session.execute(sql);
  if (factsOf(session.dialect.name).family === 'mariadb') await session.execute(markSql);
}
