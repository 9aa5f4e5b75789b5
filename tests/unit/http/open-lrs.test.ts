import type { Request } from '@middy/core';
import { expect, it, vi } from 'vitest';
import { InvalidError, UnavailableError } from '../../../lib/errors.ts';
import type { OpenCall } from '../../../lib/http/call.ts';
import { openLrs } from '../../../lib/http/steps/open-lrs.ts';
import type { HttpResponse } from '../../../lib/http/types.ts';
import type { ConfiguredLrs } from '../../../lib/lrs.ts';

/** A response in pieces from a store, after the step has seen it. */
async function streamOf(pieces: AsyncIterable<string>, leave: () => void) {
  const stores = { enter: async () => ({ opened: {}, leave, suspect: () => {} }) };
  const lrs = { config: { stores: {}, webserver: {} }, stores } as unknown as ConfiguredLrs;
  const response: HttpResponse = { statusCode: 200, headers: {}, stream: pieces };
  const event = { store: 'acme', headers: {} } as unknown as OpenCall & { lrs: ConfiguredLrs };
  const request = { event, response } as unknown as Request<OpenCall & { lrs: ConfiguredLrs }, HttpResponse>;
  const step = openLrs(async () => lrs);
  await step.before?.(request);
  await step.after?.(request);
  return response.stream?.[Symbol.asyncIterator]() as AsyncIterator<string>;
}

it('A response that is made while it is sent leaves its store when that is closed, so that nothing more can be read.', async () => {
  const leave = vi.fn();
  async function* pieces() {
    yield 'first';
    throw new UnavailableError('The database was closed meanwhile.');
  }
  const stream = await streamOf(pieces(), leave);
  expect(await stream.next()).toEqual({ done: false, value: 'first' });
  expect(leave).not.toHaveBeenCalled();
  await expect(stream.next()).rejects.toThrow('closed meanwhile');
  expect(leave).toHaveBeenCalledTimes(1);
});

it.each([
  ['has a failure that nobody expects', new Error('no such table'), 1],
  ['is unavailable', new UnavailableError('The database is out of reach.'), 1],
  ['breaks a rule', new InvalidError('The body is missing.'), 0],
])('A store is suspected when a request to it %s: %#', async (_, error, times) => {
  const suspect = vi.fn();
  const use = { opened: {}, leave: () => {}, suspect };
  const lrs = {
    config: { stores: {}, webserver: {} },
    stores: { enter: async () => use },
  } as unknown as ConfiguredLrs;
  const event = { store: 'acme', headers: {} } as unknown as OpenCall & { lrs: ConfiguredLrs };
  const request = { event, error } as unknown as Request<OpenCall & { lrs: ConfiguredLrs }, HttpResponse>;
  const step = openLrs(async () => lrs);
  await step.before?.(request);
  await step.onError?.(request);
  expect(suspect).toHaveBeenCalledTimes(times);
});
