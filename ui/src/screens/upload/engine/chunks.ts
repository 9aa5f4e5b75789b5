import { type Entry, isFailure } from './entries.ts';

export interface ChunkLimits {
  readonly count: number;
  readonly bytes: number;
}

/** Well below what servers (10 MB) and gateways (6 MB) take, and short enough to show that it goes on. */
const usual: ChunkLimits = { count: 250, bytes: 1_000_000 };

/**
 * Entries in portions that are sent at once, in their order. A larger statement goes alone. An id that comes again begins a
 * new portion, as no request may hold one twice.
 */
export async function* chunksOf(
  entries: AsyncIterable<Entry>,
  limits: ChunkLimits = usual,
): AsyncGenerator<readonly Entry[]> {
  let chunk: Entry[] = [];
  let ids = new Set<string>();
  let bytes = 0;
  for await (const entry of entries) {
    const id = isFailure(entry) ? undefined : entry.id?.toLowerCase();
    const size = isFailure(entry) ? 0 : entry.size;
    const isFull = chunk.length >= limits.count || bytes + size > limits.bytes;
    if (chunk.length > 0 && (isFull || (id !== undefined && ids.has(id)))) {
      yield chunk;
      chunk = [];
      ids = new Set();
      bytes = 0;
    }
    chunk.push(entry);
    bytes += size;
    if (id !== undefined) ids.add(id);
  }
  if (chunk.length > 0) yield chunk;
}
