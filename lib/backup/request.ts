import type { Environment } from './client-program.ts';

/** The file of a backup, and what the process that copies gives to client programs. */
export interface CopyRequest {
  readonly file: string;
  /** The environment of this process, which client programs inherit. */
  readonly env: Environment;
  /** Ends the work, also that of client programs; its reason is thrown then. */
  readonly signal?: AbortSignal | undefined;
}
