/** Processor time (ms) of the loop below on the machine for which the bounds are meant: two cores of an AMD EPYC. */
const referenceMilliseconds = 180;
const rounds = 3;

/**
 * How many times as long as on that machine the same work takes here, at least 1: by processor time, so that other programs
 * beside this one do not count, only a slower processor.
 */
export function slowness(): number {
  const times = Array.from({ length: rounds }, timeOfLoop);
  return Math.max(1, Math.min(...times) / referenceMilliseconds);
}

/** What the server does most: making and parsing JSON. */
function timeOfLoop(): number {
  const start = process.cpuUsage();
  let text = '[]';
  for (let turn = 0; turn < 60; turn += 1) {
    const items: unknown[] = JSON.parse(text);
    for (let index = 0; index < 100; index += 1) {
      items.push({
        index,
        turn,
        name: `item ${index}`,
        list: [1, 2, 3],
        more: { id: `https://example.org/${index}` },
      });
    }
    text = JSON.stringify(items);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
