import { readFileSync, statSync } from 'node:fs';

/** The length of a file in bytes; 0 when it cannot be read. */
export function lengthOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** The bytes of a file; undefined when it cannot be read. */
export function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
