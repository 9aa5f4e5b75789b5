/** Sent to a process that should end: by a terminal that is closed, by Ctrl-C, by service managers. */
export const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** From now on this process ends only by itself. @returns what is aborted when it should end, with an error of this message. */
export function interruption(message: string): AbortSignal {
  const controller = new AbortController();
  for (const name of endingSignals) process.on(name, () => controller.abort(new Error(message)));
  return controller.signal;
}
