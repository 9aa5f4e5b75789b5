/**
 * The message of an error without SQL and its values: the driver of MariaDB puts both into the message, and the sentence of the
 * server alone into a property.
 */
export function messageWithoutSql(error: Error): string {
  return 'sqlMessage' in error && typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message;
}
