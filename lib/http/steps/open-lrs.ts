import type { Request } from '@middy/core';
import type { ConfiguredLrs } from '../../lrs.ts';
import type { OpenCall, Step } from '../call.ts';

/** Gives the call the LRS, or what of it is there without the database; the first call of a process opens it, and it is kept. */
export function openLrs<Opened extends ConfiguredLrs>(
  open: () => Promise<Opened>,
): Step<OpenCall & { lrs: Opened }> {
  const openLrsBefore = async (request: Request<OpenCall>): Promise<void> => {
    request.event.lrs = await open();
  };
  return { before: openLrsBefore };
}
