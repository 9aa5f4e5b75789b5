import { InvalidError } from '../../../errors.ts';

/** A value of a query. */
export type LrsqlValue = string | number;

/** A database of lrsql. Times come as text or as Date, bytes as Buffer, truth as 0 and 1 or as booleans. */
export interface LrsqlReader {
  /** For people; without a password. */
  readonly name: string;
  /** @param sql with `?` for each value. */
  select<Row extends object>(sql: string, values?: readonly LrsqlValue[]): Promise<Row[]>;
  /** A column of JSON as the text that is stored. */
  jsonText(column: string): string;
  close(): Promise<void>;
}

/** What a driver says, without the codes and connection ids that it adds. */
export function driverReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { sqlMessage, code } = error as { readonly sqlMessage?: string; readonly code?: string };
  // A host with several addresses, none of which answers, has an error with a code only.
  const text = (sqlMessage ?? error.message) || String(code);
  return text.replace(/^SQLITE_\w+: /, '').replace(/\.$/, '');
}

/** Whether a query failed because a table does not exist: its own error, or one that this is the cause of. */
export function isMissingTable(error: unknown): boolean {
  const { code, errno, message, cause } = error as Partial<
    Record<'code' | 'errno' | 'message' | 'cause', unknown>
  >;
  if (code === '42P01' || errno === 1146 || /^SQLITE_ERROR: no such table/.test(String(message))) return true;
  return cause !== undefined && isMissingTable(cause);
}

/** Makes an error of a failed connection that names the server, without the password. */
export function refusedBy(url: URL): (cause: unknown) => never {
  return (cause) => {
    throw new InvalidError(
      `The database ${url.pathname.slice(1)} on ${url.host} cannot be opened: ${driverReason(cause)}.`,
      { cause },
    );
  };
}
