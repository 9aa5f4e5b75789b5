import { sendAdmin } from '../../api/client.ts';
import { Observable } from '../../observable/observable.ts';
import { taskOfSession } from '../../session/task.ts';
import type { ExportFile } from './export-file.ts';
import type { ExportTarget } from './export-target.ts';

export interface ExportState {
  readonly phase: 'running' | 'done' | 'cancelled' | 'failed';
  /** Undefined where they can't be told. */
  readonly rows: number | undefined;
  readonly bytes: number;
  readonly error?: Error;
}

/** Milliseconds between two reports. */
const reportEvery = 200;

/** The download of an export, piece by piece. */
export class ExportRun {
  readonly state = new Observable<ExportState>({ phase: 'running', rows: undefined, bytes: 0 });
  readonly #abort = new AbortController();
  readonly #file: ExportFile;
  #bytes = 0;

  constructor(file: ExportFile, target: ExportTarget) {
    this.#file = file;
    void this.#run(target);
  }

  cancel(): void {
    this.#abort.abort();
  }

  async #run(target: ExportTarget): Promise<void> {
    try {
      await this.#copy(target);
      await target.close();
      this.#report({ phase: 'done' });
    } catch (error) {
      await target.discard().catch(() => undefined);
      if (this.#abort.signal.aborted) this.#report({ phase: 'cancelled' });
      else
        this.#report({ phase: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  async #copy(target: ExportTarget): Promise<void> {
    const { path, query, counter } = this.#file;
    const { body } = await sendAdmin(path, { query, signal: this.#abort.signal });
    const reader = body?.getReader();
    let reported = 0;
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      counter?.add(piece.value);
      this.#bytes += piece.value.length;
      await target.write(piece.value);
      if (performance.now() - reported < reportEvery) continue;
      reported = performance.now();
      this.#report({ phase: 'running' });
    }
  }

  #report(part: Pick<ExportState, 'phase' | 'error'>): void {
    this.state.set({ ...part, rows: this.#file.counter?.rows, bytes: this.#bytes });
  }
}

/** The export that was begun last in this tab. */
export const currentExport = taskOfSession<ExportRun>();
