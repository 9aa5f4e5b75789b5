import type { Config } from '../config/types.ts';

/**
 * Refuses a command that would change what a read-only LRS holds, unless the person who gives it says otherwise.
 * @throws Error
 */
export function requireWritable({ lrs }: Config): void {
  if (!lrs.readOnly) return;
  throw new Error(
    'The LRS is read-only (lrs.readOnly, LRS_READ_ONLY), and nothing is changed. Set LRS_READ_ONLY=false for this command to change it nevertheless.',
  );
}
