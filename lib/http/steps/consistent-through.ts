import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { storedText } from '../../statements/position.ts';
import type { Call, Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

const header = 'X-Experience-API-Consistent-Through';

/** A request, and the text of the header once it is known. */
type Taking = Request<XapiCall, HttpResponse, Error, Context, { consistentThrough?: string }>;

/**
 * Says up to when an incremental reader has seen everything, on every answer of the statement resource. The moment is taken
 * before the action runs, so that nothing that the action reads can be newer than it promises; for a call that is refused
 * before, it is taken then (xAPI 1.0.3 Communication 2.1.3).
 */
export function consistentThrough(): Step<XapiCall> {
  const consistentThroughBefore = async ({ event, internal }: Taking): Promise<void> => {
    internal.consistentThrough = await momentOf(event);
  };
  const consistentThroughAfter = ({ internal, response }: Taking): void => {
    const value = internal.consistentThrough;
    if (value !== undefined && response !== null) response.headers[header] = value;
  };
  const consistentThroughOnError = async (request: Taking): Promise<void> => {
    if (request.internal.consistentThrough !== undefined) consistentThroughAfter(request);
    else await addMoment(request);
  };
  return {
    before: consistentThroughBefore,
    after: consistentThroughAfter,
    onError: consistentThroughOnError,
  };
}

/** The same for a door of many paths, where the one that was called is the statement resource. */
export function consistentThroughAtStatements(): Step<Call> {
  const consistentThroughAtStatementsAfter = async (request: Request<Call, HttpResponse>): Promise<void> => {
    const { path, lrs } = request.event;
    if (path === `${lrs?.config.webserver.urlPrefix}/statements`) await addMoment(request);
  };
  return { after: consistentThroughAtStatementsAfter, onError: consistentThroughAtStatementsAfter };
}

/** An LRS that isn't open or whose database fails has nothing to promise, and that is what its answer is about. */
async function addMoment({
  event,
  response,
}: Pick<Request<Call, HttpResponse>, 'event' | 'response'>): Promise<void> {
  if (response === null || event.lrs === undefined) return;
  const moment = await momentOf(event).catch(() => undefined);
  if (moment !== undefined) response.headers[header] = moment;
}

async function momentOf({ lrs }: Call): Promise<string> {
  return storedText(await lrs.statements.consistentThrough());
}
