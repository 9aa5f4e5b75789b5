import { Observable } from './observable.ts';
import { session } from './store.ts';

interface Task {
  cancel(): void;
}

/** Work that goes on whatever page is shown. Who signs out takes it along; a session that only ran out does not end it. */
export function taskOfSession<T extends Task>(): Observable<T | undefined> {
  const current = new Observable<T | undefined>(undefined);
  session.stored.subscribe(() => {
    if (session.token() !== undefined || session.ending() === 'expired') return;
    current.get()?.cancel();
    current.set(undefined);
  });
  return current;
}
