import { keyOf } from '../../db/key.ts';
import type { SearchKey } from './search-key.ts';

/**
 * An additional index entry that marks a key which a statement has only through a statement of another authority.
 * Credentials that may read only their own statements must not find them by what others said.
 */
export function foreignMark(key: SearchKey): SearchKey {
  return keyOf(`foreign ${key}`);
}
