import type { Query } from '../../api/address.ts';
import { sendAdmin } from '../../api/client.ts';
import { Observable } from '../../observable/observable.ts';
import { taskOfSession } from '../../session/task.ts';
import { RowCounter } from './csv-text.ts';
import type { ExportTarget } from './export-target.ts';

export interface ExportState {
  readonly phase: 'running' | 'done' | 'cancelled' | 'failed';
  readonly rows: number;
  readonly bytes: number;
  readonly error?: Error;
}

/** Milliseconds between two reports. */
const reportEvery = 200;

/** The download of an export, piece by piece. */
export class ExportRun {
  readonly state = new Observable<ExportState>({ phase: 'running', rows: 0, bytes: 0 });
  readonly #abort = new AbortController();
  readonly #counter = new RowCounter();
  #bytes = 0;

  constructor(query: Query, target: ExportTarget) {
    void this.#run(query, target);
  }

  cancel(): void {
    this.#abort.abort();
  }

  async #run(query: Query, target: ExportTarget): Promise<void> {
    try {
      await this.#copy(query, target);
      await target.close();
      this.#report({ phase: 'done' });
    } catch (error) {
      await target.discard().catch(() => undefined);
      if (this.#abort.signal.aborted) this.#report({ phase: 'cancelled' });
      else
        this.#report({ phase: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  async #copy(query: Query, target: ExportTarget): Promise<void> {
    const { body } = await sendAdmin('csv', { query, signal: this.#abort.signal });
    const reader = body?.getReader();
    let reported = 0;
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      this.#counter.add(piece.value);
      this.#bytes += piece.value.length;
      await target.write(piece.value);
      if (performance.now() - reported < reportEvery) continue;
      reported = performance.now();
      this.#report({ phase: 'running' });
    }
  }

  #report(part: Pick<ExportState, 'phase' | 'error'>): void {
    this.state.set({ ...part, rows: this.#counter.rows, bytes: this.#bytes });
  }
}

/** The export that was begun last in this tab. */
export const currentExport = taskOfSession<ExportRun>();
