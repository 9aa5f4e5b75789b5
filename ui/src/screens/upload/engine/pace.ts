export interface Pace {
  /** Statements in a second. */
  readonly rate: number;
  /** Seconds; undefined while nothing can be said. */
  readonly left: number | undefined;
}

interface Progress {
  /** Milliseconds. */
  readonly elapsed: number;
  readonly statements: number;
  /** Bytes that were settled in that time, and all that there were at its beginning. */
  readonly bytes: number;
  readonly total: number;
}

/** How fast it goes, and how long it takes if it goes on so. */
export function paceOf({ elapsed, statements, bytes, total }: Progress): Pace {
  const seconds = elapsed / 1000;
  const rate = seconds > 0 ? statements / seconds : 0;
  return { rate, left: bytes > 0 && seconds > 1 ? ((total - bytes) * seconds) / bytes : undefined };
}
