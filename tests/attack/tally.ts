/** Counts what was sent and how it ended, and keeps what must not happen. */
export class Tally {
  #sent = 0;
  readonly #outcomes = new Map<string, number>();
  readonly #violations = new Map<string, number>();

  get sent(): number {
    return this.#sent;
  }

  /** Outcome, e.g. a status or `reset`, and how often it came, in the order of the outcomes. */
  get outcomes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#outcomes].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** One line each, with how often it was seen. */
  get violations(): string[] {
    return [...this.#violations].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  }

  count(outcome: string | number, times = 1): void {
    this.#sent += times;
    this.#outcomes.set(String(outcome), (this.#outcomes.get(String(outcome)) ?? 0) + times);
  }

  /** @param text what the server did wrong; equal texts are counted. */
  violate(text: string): void {
    this.#violations.set(text, (this.#violations.get(text) ?? 0) + 1);
  }
}
