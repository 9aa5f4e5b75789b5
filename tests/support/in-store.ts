import type { Lrs } from '../../lib/lrs.ts';

/** Does some work in a store, which is open as long as that takes. */
export async function inStore<T>(
  { stores }: Lrs,
  name: string,
  work: (store: Lrs) => Promise<T>,
): Promise<T> {
  const use = await stores?.enter(name);
  if (use === undefined) throw new Error('There are no stores.');
  try {
    return await work(use.opened);
  } finally {
    use.leave();
  }
}
