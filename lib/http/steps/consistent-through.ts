import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { storedText } from '../../position.ts';
import type { Position } from '../../statements/types.ts';
import type { OpenCall, Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

const header = 'X-Experience-API-Consistent-Through';

/** A request, and the text of the header once it is known. */
type Taking = Request<XapiCall, HttpResponse, Error, Context, { consistentThrough?: string }>;

/**
 * Says up to when an incremental reader has seen everything, on every answer of the statement resource (xAPI 1.0.3
 * Communication 2.1.3). For a call that reads, the moment is taken before the action runs, so that nothing that the action reads
 * can be newer than it promises. A call that writes takes the moment of its own transaction, and one that is refused tells what
 * this process knows: neither asks the database anything for it.
 */
export function consistentThrough(): Step<XapiCall> {
  const consistentThroughBefore = ({ event, internal }: Taking): Promise<void> | undefined => {
    if (writes(event)) return undefined;
    const take = (position: Position): void => {
      internal.consistentThrough = storedText(position);
    };
    const position = event.lrs.statements.consistentThrough();
    if (position instanceof Promise) return position.then(take);
    take(position);
    return undefined;
  };
  const consistentThroughAfter = (request: Taking): void => {
    const { internal, response } = request;
    if (internal.consistentThrough === undefined) addKnown(request);
    else if (response !== null) response.headers[header] = internal.consistentThrough;
  };
  return {
    before: consistentThroughBefore,
    after: consistentThroughAfter,
    onError: consistentThroughAfter,
  };
}

const writes = ({ method }: XapiCall): boolean => method === 'POST' || method === 'PUT';

/** The same for a handler of many paths that reads nothing, where the one that was called is the statement resource. */
export function consistentThroughAtStatements(): Step<OpenCall> {
  const consistentThroughAtStatementsAfter = (request: Request<OpenCall, HttpResponse>): void => {
    const { path, lrs } = request.event;
    if (path === `${lrs?.config.webserver.urlPrefix}/statements`) addKnown(request);
  };
  return { after: consistentThroughAtStatementsAfter, onError: consistentThroughAtStatementsAfter };
}

/** An LRS that isn't open has nothing to promise, and that is what its answer is about. */
function addKnown({ event, response }: Pick<Request<OpenCall, HttpResponse>, 'event' | 'response'>): void {
  if (response === null || event.lrs === undefined) return;
  response.headers[header] = storedText(event.lrs.knownConsistentThrough());
}
