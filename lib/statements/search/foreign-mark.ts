import { keyOf } from '../../db/key.ts';
import type { SearchKey } from './search-key.ts';

/**
 * What stands in the index beside a key that a statement has only through a statement of another authority:
 * who may read nothing but their own statements must not find theirs by what others said.
 */
export function foreignMark(key: SearchKey): SearchKey {
  return keyOf(`foreign ${key}`);
}
