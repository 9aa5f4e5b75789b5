import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createLogger, type Logger } from '../../../lib/logger.ts';
import type { ClientAnswer, ClientRequest } from '../gateway-events.ts';
import { Listener } from './exchange.ts';

/*
 * What servers say while the tests run, written down by each test process in a file of its own; `setup.ts` reads all of
 * them when the run is over.
 */

export interface RecordLine {
  readonly kind: 'printed' | 'secret' | 'disclosed' | 'heard';
  readonly text: string;
}

const file = join(inject('recordFolder'), `${process.pid}.jsonl`);
const listener = new Listener();
const written = new Set<string>();

/** Takes down a call and its answer. */
export function recordExchange(request: ClientRequest, answer: ClientAnswer): void {
  for (const what of listener.hear(request, answer)) {
    write('disclosed', `the answer ${answer.status} of ${request.method} ${request.path} shows ${what}`);
  }
  for (const [secret, kind] of listener.secrets) {
    if (!written.has(secret)) write('secret', `${kind}\n${secret}`);
    written.add(secret);
  }
  if (!written.has('heard')) write('heard', request.path);
  written.add('heard');
}

/** Takes down what a server prints or logs. */
export function recordPrinted(text: string): void {
  write('printed', text);
}

/** The log of a server at its most talkative, taken down. */
export function recordedLogger(): Logger {
  return createLogger('ALL', { write: recordPrinted });
}

function write(kind: RecordLine['kind'], text: string): void {
  appendFileSync(file, `${JSON.stringify({ kind, text } satisfies RecordLine)}\n`);
}
