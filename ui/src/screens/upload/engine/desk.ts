import { Observable } from '../../../session/observable.ts';
import { session } from '../../../session/store.ts';
import type { UploadRun } from './upload-run.ts';

/** The upload that was begun last in this tab. */
export const currentUpload = new Observable<UploadRun | undefined>(undefined);

/** Whoever leaves takes the work along; a session that only ran out does not interrupt it. */
session.stored.subscribe(() => {
  if (session.token() !== undefined || session.ending() === 'expired') return;
  currentUpload.get()?.cancel();
  currentUpload.set(undefined);
});
