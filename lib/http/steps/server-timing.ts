import type { Request } from '@middy/core';
import type { OpenCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/** What passes between two marks, in their order. */
const parts = ['auth', 'body', 'work'] as const;

/** The steps of a handler that measure one call. */
interface TimingSteps {
  /** The first of them; it adds the header to the response. */
  readonly start: Step<OpenCall>;
  /** Stands behind the one that finds out who calls, and behind the one that reads the body. */
  readonly mark: Step<OpenCall>;
}

/**
 * Tells clients that are authenticated, with `enableServerTiming`, how long the parts of a call took, in milliseconds
 * (`Server-Timing`, W3C). Strangers are told nothing: times tell apart what is stored and what is not.
 */
export function serverTiming(): TimingSteps {
  const marks = new WeakMap<OpenCall, number[]>();
  const startBefore = ({ event }: Request<OpenCall>): void => {
    if (event.lrs.config.telemetry.enableServerTiming) marks.set(event, [performance.now()]);
  };
  const markBefore = ({ event }: Request<OpenCall>): void => {
    marks.get(event)?.push(performance.now());
  };
  const startAfter = ({ event, response }: Request<OpenCall, HttpResponse>): void => {
    const passed = marks.get(event);
    // One mark is the start alone.
    if (passed === undefined || passed.length === 1 || response === null) return;
    response.headers['Server-Timing'] = textOf([...passed, performance.now()]);
  };
  return {
    start: { before: startBefore, after: startAfter, onError: startAfter },
    mark: { before: markBefore },
  };
}

/** Where the body was not read, what follows the authentication is the work. */
function textOf(times: readonly number[]): string {
  const names = times.length > parts.length ? parts : [parts[0], parts[2]];
  const each = names.map((name, index) => entry(name, (times[index + 1] ?? 0) - (times[index] ?? 0)));
  return [...each, entry('total', (times.at(-1) ?? 0) - (times[0] ?? 0))].join(', ');
}

const entry = (name: string, milliseconds: number): string => `${name};dur=${milliseconds.toFixed(1)}`;
