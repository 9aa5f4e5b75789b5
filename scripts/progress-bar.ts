import { progressLine } from '../lib/transfer/progress-line.ts';

/** Milliseconds between two lines: on a terminal, where one replaces the other, and in a file. */
const everyOnTerminal = 200;
const everyInFile = 10_000;

/** Shows on standard error how far statements have come. */
export class ProgressBar {
  readonly #start = performance.now();
  readonly #isTerminal = process.stderr.isTTY === true;
  #before: number | undefined;
  #shown = this.#start;
  #line = '';
  #printed = '';

  show(done: number, total: number | undefined): void {
    this.#before ??= done;
    const now = performance.now();
    this.#line = progressLine({ done, total, elapsed: now - this.#start, before: this.#before });
    if (now - this.#shown < (this.#isTerminal ? everyOnTerminal : everyInFile)) return;
    this.#shown = now;
    this.#print();
  }

  /** Shows the latest line in any case. */
  end(): void {
    if (this.#line === '') return;
    if (this.#printed !== this.#line) this.#print();
    if (this.#isTerminal) process.stderr.write('\n');
  }

  #print(): void {
    this.#printed = this.#line;
    process.stderr.write(this.#isTerminal ? `\r\x1b[K${this.#line}` : `${this.#line}\n`);
  }
}
