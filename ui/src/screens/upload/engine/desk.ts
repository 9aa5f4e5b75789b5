import { taskOfSession } from '../../../session/task.ts';
import type { UploadRun } from './upload-run.ts';

/** The upload that was begun last in this tab. */
export const currentUpload = taskOfSession<UploadRun>();
