import { vi } from 'vitest';

/** Stops the date that this process sees, so that it does not matter how long the steps of a test take. */
export function stopClock(): void {
  passSeconds(0);
}

/**
 * Sets the date that this process sees forward by so many seconds, where it stops; timers and requests run on as they do. The test ends
 * with `vi.useRealTimers()`.
 */
export function passSeconds(seconds: number): void {
  const now = Date.now();
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1000);
}
