/** How often (ms) a step that takes long says that it is still at work. */
const heartbeat = 15_000;

/**
 * Does one step of a start and prints, on standard error, what it is, that it goes on, and how long it took.
 * @template T
 * @param {string} title such as `Bundling the server`
 * @param {() => Promise<T>} work
 * @param {string} [note] what one should know while it lasts, such as how long it may take
 * @returns {Promise<T>}
 */
export async function step(title, work, note) {
  const begin = performance.now();
  const seconds = () => ((performance.now() - begin) / 1000).toFixed(1);
  console.error(`${title} …${note === undefined ? '' : ` (${note})`}`);
  const timer = setInterval(() => console.error(`  still at it after ${seconds()} s`), heartbeat);
  try {
    const result = await work();
    console.error(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
