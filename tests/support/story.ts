import { placeholders } from '../../lib/openapi/examples.ts';

/** What the placeholders of the examples stand for on the server that a story is told to. */
export type Cast = Map<string, unknown>;

const known: ReadonlySet<unknown> = new Set(Object.values(placeholders));

/** The value with every placeholder replaced by what it stands for here. */
export function played(value: unknown, cast: Cast): unknown {
  if (typeof value === 'string') return cast.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => played(item, cast));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, played(item, cast)]));
}

/** Learns what placeholders of an example stand for that are met for the first time, by where they stand in the real answer. */
export function learn(example: unknown, real: unknown, cast: Cast): void {
  if (typeof example === 'string' && known.has(example)) {
    if (!cast.has(example)) cast.set(example, real);
  } else if (typeof example === 'object' && example !== null && typeof real === 'object' && real !== null) {
    for (const [name, item] of Object.entries(example)) learn(item, Reflect.get(real, name), cast);
  }
}
