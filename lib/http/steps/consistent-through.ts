import type { Request } from '@middy/core';
import { storedText } from '../../statements/position.ts';
import type { Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

const header = 'X-Experience-API-Consistent-Through';

/**
 * Says up to when an incremental reader has seen everything, on errors too. The moment is taken before the action runs, so that
 * nothing that the action reads can be newer than it promises (xAPI 1.0.3 Communication 2.1.3).
 */
export function consistentThrough(): Step<XapiCall> {
  const taken = new WeakMap<XapiCall, string>();
  const consistentThroughBefore = async ({ event }: Request<XapiCall>): Promise<void> => {
    taken.set(event, storedText(await event.lrs.statements.consistentThrough()));
  };
  const consistentThroughAfter = ({ event, response }: Request<XapiCall, HttpResponse>): void => {
    const value = taken.get(event);
    if (value !== undefined && response !== null) response.headers[header] = value;
  };
  return { before: consistentThroughBefore, after: consistentThroughAfter, onError: consistentThroughAfter };
}
