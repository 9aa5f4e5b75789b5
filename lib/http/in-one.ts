import type { Request } from '@middy/core';
import type { Step } from './call.ts';
import type { HttpRequest, HttpResponse } from './types.ts';

type Hook<C extends HttpRequest> = (request: Request<C, HttpResponse>) => unknown;

/**
 * Steps as one middleware of Middy, in the order in which Middy would take them. Between two middlewares Middy waits even where
 * there is nothing to wait for, and a dozen times for each request that is dear. None of the steps answers early: those that
 * refuse a call throw.
 */
export function inOne<C extends HttpRequest>(steps: readonly Step<C>[]): Step<C> {
  const inwards = [...steps];
  const outwards = inwards.toReversed();
  return {
    before: oneAfterAnother(inwards.map(({ before }) => before)),
    after: oneAfterAnother(outwards.map(({ after }) => after)),
    onError: oneAfterAnother(outwards.map(({ onError }) => onError)),
  };
}

/** Takes a step for a call once more, outside of its handler. Before an action, steps look at nothing of a request but the call. */
export async function takeAgain<C extends HttpRequest>({ before }: Step<C>, call: C): Promise<void> {
  await before?.({ event: call } as Request<C, HttpResponse>);
}

function oneAfterAnother<C extends HttpRequest>(
  all: readonly (Hook<C> | undefined)[],
): (request: Request<C, HttpResponse>) => Promise<void> | undefined {
  const hooks = all.filter((hook) => hook !== undefined);
  const runFrom = (start: number, request: Request<C, HttpResponse>): Promise<void> | undefined => {
    for (let index = start; index < hooks.length; index += 1) {
      const pending = hooks[index]?.(request);
      if (pending instanceof Promise) return pending.then(() => runFrom(index + 1, request));
    }
    return undefined;
  };
  return (request) => runFrom(0, request);
}
