import type { Request } from '@middy/core';
import type { Lrs } from '../../lrs.ts';
import type { Call, Step } from '../call.ts';

/** Gives the call the LRS, which is opened by the first call of a process and kept. */
export function openLrs(open: () => Promise<Lrs>): Step<Call> {
  const openLrsBefore = async (request: Request<Call>): Promise<void> => {
    request.event.lrs = await open();
  };
  return { before: openLrsBefore };
}
