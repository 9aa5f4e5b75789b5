import { setImmediate } from 'node:timers/promises';
import middy from '@middy/core';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../lib/http/call.ts';
import { inOne } from '../../../lib/http/in-one.ts';
import type { HttpRequest, HttpResponse } from '../../../lib/http/types.ts';

const response: HttpResponse = { statusCode: 200, headers: {} };

/** Calls a handler behind the steps, each of which notes that it runs and, where it waits, that it goes on. */
async function run(
  wrap: (steps: Step<HttpRequest>[]) => Step<HttpRequest>[],
  failing?: string,
): Promise<string[]> {
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    if (text === failing) throw new Error(text);
  };
  const step = (name: string, waits: boolean): Step<HttpRequest> => {
    const hook = (moment: string) => () => {
      note(`${moment} ${name}`);
      return waits ? setImmediate().then(() => note(`${moment} ${name}, later`)) : undefined;
    };
    const onError = hook('error');
    return {
      before: hook('before'),
      after: hook('after'),
      onError: (request) => {
        request.response = response;
        return onError();
      },
    };
  };
  const steps = [step('a', false), step('b', true), { after: () => note('after only') }, step('c', false)];
  const chain = middy({ timeoutEarlyInMillis: 0 })
    .use(wrap(steps))
    .handler(async () => {
      note('handler');
      return response;
    });
  await chain({} as HttpRequest, {} as never).catch((error: Error) => notes.push(`failed: ${error.message}`));
  return notes;
}

describe('steps in one', () => {
  it.each([
    undefined,
    'before a',
    'before b, later',
    'before c',
    'handler',
    'after only',
    'after b, later',
    'after a',
  ])('run as Middy runs them when what fails is: %s', async (failing) => {
    const notes = await run((steps) => [inOne(steps)], failing);
    expect(notes).toEqual(await run((steps) => steps, failing));
    expect(notes.length).toBeGreaterThan(4);
  });
});
