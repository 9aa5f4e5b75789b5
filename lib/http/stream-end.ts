/**
 * Passes a stream on and calls `ended` once: when it was read to its end, has failed, or is not read any further, also where
 * nobody has begun to read it, which a generator would not notice.
 * @param ended called with whether the stream ended early. The reader waits for it, and gets what it throws.
 */
export function withEnd<Piece>(
  stream: AsyncIterable<Piece>,
  ended: (isEarly: boolean) => void | Promise<void>,
): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]() {
      const inner = stream[Symbol.asyncIterator]();
      let hasEnded = false;
      const end = async (isEarly: boolean): Promise<void> => {
        if (hasEnded) return;
        hasEnded = true;
        await ended(isEarly);
      };
      return {
        async next() {
          let result: IteratorResult<Piece>;
          try {
            result = await inner.next();
          } catch (error) {
            await end(true);
            throw error;
          }
          if (result.done) await end(false);
          return result;
        },
        async return(value) {
          try {
            return (await inner.return?.(value)) ?? { done: true, value: undefined };
          } finally {
            await end(true);
          }
        },
      };
    },
  };
}
