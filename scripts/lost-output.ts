import { failureReasons } from './failure-reasons.ts';

/**
 * Has a command go on where what it prints is not written, such as into a pipe whose reader has ended: that is reported once, and
 * the exit code says it.
 */
export function outliveLostOutput(): void {
  let isReported = false;
  process.stdout.on('error', (error) => {
    process.exitCode ||= 1;
    if (isReported) return;
    isReported = true;
    console.error(`What the command prints is lost from here on: ${failureReasons(error).join(' ')}`);
  });
  // Nothing is left that could be told.
  process.stderr.on('error', () => {
    process.exitCode ||= 1;
  });
}
