import { session } from '../api/session.ts';
import { Observable } from '../observable/observable.ts';

interface Task {
  cancel(): void;
}

/**
 * Work that goes on whatever page is shown. Who signs out takes it along, as does somebody else who signs in; a session that
 * only ran out does not end it.
 */
export function taskOfSession<T extends Task>(): Observable<T | undefined> {
  const current = new Observable<T | undefined>(undefined);
  let owner = session.holder();
  session.stored.subscribe(() => {
    const holder = session.holder();
    const isKept = holder === undefined ? session.ending() === 'expired' : holder === owner;
    owner = holder ?? owner;
    if (isKept) return;
    current.get()?.cancel();
    current.set(undefined);
  });
  return current;
}
