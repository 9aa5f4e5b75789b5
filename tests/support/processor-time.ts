/** Milliseconds of processor time that this process spends on the work: other programs do not lengthen it. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rounds = 5;

/**
 * The least processor time of each of several works that are compared with each other. They take turns, so that what slows the
 * processor for a while, such as a program beside this one, slows all of them.
 */
export async function leastProcessorTimes(...works: readonly (() => unknown)[]): Promise<number[]> {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, work] of works.entries())
      least[index] = Math.min(least[index] ?? 0, await processorTime(work));
  return least;
}

/** Times the effort grows by when the size does; twice that is still put down to chance, and the square of it is not. */
const factor = 16;

/**
 * Whether the effort of the work grows no faster than its size does, give or take what caches and the garbage collector
 * add. A slow machine makes no difference, because the same work is measured at two sizes.
 * @param work is done for two sizes, the second of which is `size`.
 */
export async function growsWithSize(work: (size: number) => unknown, size: number): Promise<boolean> {
  const small = Math.floor(size / factor);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const [less, more] = [await fastest(() => work(small)), await fastest(() => work(size))];
    // What takes a moment even at the full size says nothing about growth, and needs not.
    if (more < 20 || more < less * factor * 4) return true;
  }
  return false;
}

async function fastest(work: () => unknown): Promise<number> {
  const times = [await processorTime(work), await processorTime(work)];
  return Math.min(...times);
}
