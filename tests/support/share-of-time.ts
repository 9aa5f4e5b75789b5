/** Works for 0.2 ms after each `turn` until the other work is over. @returns the share of the time that this had. */
export async function shareBeside(other: Promise<unknown>, turn: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  void other.then(() => {
    isOver = true;
  });
  const start = performance.now();
  let worked = 0;
  while (!isOver) {
    await turn();
    const begun = performance.now();
    while (performance.now() - begun < 0.2);
    worked += performance.now() - begun;
  }
  return worked / (performance.now() - start);
}
