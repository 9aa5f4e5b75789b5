import { session } from '../api/session.ts';
import { useStoredText } from '../observable/stored-text.ts';

/** The token of who is signed in; undefined while nobody is. */
export function useToken(): string | undefined {
  return useStoredText(session.stored);
}
