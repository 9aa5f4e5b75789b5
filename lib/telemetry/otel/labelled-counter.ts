import type { Attributes, ObservableResult } from '@opentelemetry/api';

interface Count {
  readonly attributes: Attributes;
  value: number;
}

/** Counts by attributes, which have the same names each time. An addition takes a fraction of what a counter of the SDK takes. */
export class LabelledCounter {
  readonly #counts = new Map<string, Count>();

  add(attributes: Attributes): void {
    let key = '';
    for (const name in attributes) key += `${attributes[name]}\n`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { attributes, value: 1 });
    else known.value += 1;
  }

  observe(result: ObservableResult<Attributes>): void {
    for (const { attributes, value } of this.#counts.values()) result.observe(value, attributes);
  }
}
