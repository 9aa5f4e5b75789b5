import { Observable } from '../../../observable/observable.ts';
import { chunksOf } from './chunks.ts';
import { deliver, isRefusal } from './delivery.ts';
import { type Entry, type Failure, isFailure, type Outgoing, type ProblemWords, prepare } from './entries.ts';
import { FailureFiles } from './failure-files.ts';
import { type Hold, Patience } from './patience.ts';
import { forgetProgress, keepProgress, type StoredProgress } from './progress-store.ts';
import { StatementSource } from './source.ts';
import { StatementSplitter } from './splitter.ts';

/** How many failures the page shows; the files have all. */
export const mostShown = 500;

export interface UploadState {
  readonly phase: 'running' | 'done' | 'cancelled' | 'unreadable';
  /** Why nothing is sent at the moment. */
  readonly hold: Hold | undefined;
  /** Bytes of the file whose statements are settled. */
  readonly position: number;
  /** Statements that are stored, of this run. */
  readonly stored: number;
  readonly failed: number;
  /** Statements that an earlier run has settled. */
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** What made the file unreadable. */
  readonly error?: Error;
}

export interface UploadOrder {
  readonly file: File;
  readonly apiKey: string;
  readonly send: (body: string, signal: AbortSignal) => Promise<void>;
  readonly words: ProblemWords;
  /** Where an earlier run of the same file came to. */
  readonly progress: StoredProgress | undefined;
}

/** The upload of one file. It goes on whatever screen is shown. */
export class UploadRun {
  readonly file: File;
  readonly files = new FailureFiles();
  readonly startedAt = Date.now();
  /** Counts once it has ended. */
  endedAt = this.startedAt;
  readonly startedFrom: number;
  readonly state: Observable<UploadState>;
  /** Of the key pair that it is sent with. */
  apiKey: string;
  #send: UploadOrder['send'];
  readonly #order: UploadOrder;
  readonly #source: StatementSource;
  readonly #abort = new AbortController();
  readonly #patience: Patience;
  readonly #failed: number[] = [];
  #unreadable: Error | undefined;

  constructor(order: UploadOrder) {
    const { file, apiKey, send, progress } = order;
    this.file = file;
    this.apiKey = apiKey;
    this.#send = send;
    this.startedFrom = progress?.position ?? 0;
    this.#order = order;
    this.#source = new StatementSource(file);
    this.#patience = new Patience(this.#abort.signal, (hold) => this.#change({ hold }));
    const skipped = (progress?.settled ?? 0) - (progress?.failed.length ?? 0);
    const counts = { position: this.startedFrom, stored: 0, failed: 0, skipped };
    this.state = new Observable<UploadState>({ phase: 'running', hold: undefined, ...counts, failures: [] });
    void this.#run();
  }

  pause(): void {
    this.#patience.pause();
  }

  /** From the next request on. */
  sendWith(apiKey: string, send: UploadOrder['send']): void {
    this.apiKey = apiKey;
    this.#send = send;
  }

  goOn(): void {
    this.#patience.goOn();
  }

  cancel(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    try {
      const fingerprint = await this.#source.fingerprint();
      for await (const chunk of chunksOf(this.#entries(fingerprint))) {
        // Before the chunk is sent: the source reads on only when the next one is asked for.
        const { position } = this.#source;
        await this.#settle(chunk);
        this.#change({ position });
        this.#keep(fingerprint, chunk.at(-1)?.index ?? 0);
      }
      if (this.#unreadable !== undefined) throw this.#unreadable;
      forgetProgress(fingerprint);
      this.#end({ phase: 'done', position: this.file.size });
    } catch (error) {
      const isCancelled = this.#abort.signal.aborted;
      this.#end(isCancelled ? { phase: 'cancelled' } : { phase: 'unreadable', error: asError(error) });
    }
  }

  /** What the file holds, but for what an earlier run has stored. */
  async *#entries(fingerprint: string): AsyncGenerator<Entry> {
    const { words, progress } = this.#order;
    const again = new Set(progress?.failed);
    const splitter = new StatementSplitter();
    let index = 0;
    for await (const items of this.#items(splitter)) {
      for (const item of items) {
        index += 1;
        const isSettled = index <= (progress?.settled ?? 0) && !again.has(index);
        if (!isSettled) yield prepare(item, index, { fingerprint, words });
      }
    }
  }

  async *#items(splitter: StatementSplitter): AsyncGenerator<ReturnType<StatementSplitter['push']>> {
    try {
      for await (const bytes of this.#source.bytes()) {
        this.#abort.signal.throwIfAborted();
        yield splitter.push(bytes);
      }
    } catch (error) {
      this.#abort.signal.throwIfAborted();
      // What was read until then is sent all the same.
      this.#unreadable = asError(error);
    }
    yield splitter.end();
  }

  async #settle(chunk: readonly Entry[]): Promise<void> {
    const outgoing: Outgoing[] = [];
    for (const entry of chunk) {
      if (isFailure(entry)) this.#fail(entry);
      else outgoing.push(entry);
    }
    if (outgoing.length === 0) return;
    await deliver(outgoing, {
      send: (part) => this.#patience.insist(() => this.#send(bodyOf(part), this.#abort.signal), isRefusal),
      onStored: (count) => this.#change({ stored: this.state.get().stored + count }),
      onFailure: (failure) => this.#fail(failure),
    });
  }

  #fail(failure: Failure): void {
    const { failed, failures } = this.state.get();
    this.files.add(failure);
    this.#failed.push(failure.index);
    const isShown = failures.length < mostShown;
    this.#change({ failed: failed + 1, ...(isShown && { failures: [...failures, failure] }) });
  }

  #keep(fingerprint: string, settled: number): void {
    const { progress, file } = this.#order;
    keepProgress({
      fingerprint,
      name: file.name,
      size: file.size,
      lastModified: file.lastModified,
      position: this.state.get().position,
      settled: Math.max(settled, progress?.settled ?? 0),
      failed: [...this.#failed, ...(progress?.failed ?? []).filter((index) => index > settled)],
    });
  }

  #end(outcome: Partial<UploadState>): void {
    this.endedAt = Date.now();
    this.#change({ ...outcome, hold: undefined });
  }

  #change(part: Partial<UploadState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

/** The texts as they came, so that numbers keep their digits. */
function bodyOf(statements: readonly Outgoing[]): string {
  return `[${statements.map(({ text }) => text).join(',')}]`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
