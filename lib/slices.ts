/** A list in consecutive slices of at most `size` items, in its order; none for an empty list. */
export function* slicesOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
