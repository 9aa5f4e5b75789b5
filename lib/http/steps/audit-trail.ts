import type { Request } from '@middy/core';
import type { AuditedAct, AuditedEnd, AuditKind, AuditPlace } from '../../audit/types.ts';
import { outageOf, UnavailableError } from '../../errors.ts';
import type { AuditedCall, Step } from '../call.ts';
import { clientAddress } from '../client-address.ts';
import { withEnd } from '../stream-end.ts';
import type { HttpResponse } from '../types.ts';

const tooManyRequests = 429;

interface AuditTrailOptions {
  /** Whether the entry is written before the call is carried out, and completed afterwards. */
  readonly begins?: (call: AuditedCall) => boolean;
}

/**
 * Keeps who did what, and how it ended. A change is entered before it is made and completed before the answer goes out; what
 * is shown is entered before it goes out. A call whose entry can't be written is answered with 503: nothing is changed and
 * nothing is shown. What strangers send is kept only when it tried a password, and no more often than the throttle lets
 * them try: nobody can fill the trail.
 */
export function auditTrail({ begins = changes }: AuditTrailOptions = {}): Step<AuditedCall> {
  const begun = new WeakMap<AuditedCall, AuditPlace>();
  const failed = new WeakSet<AuditedCall>();

  const begin = async (call: AuditedCall): Promise<void> => {
    const place = await written(call.lrs.audit.begin(actOf(call))).catch(giveUpOn(call));
    begun.set(call, place);
    call.entryId = place.id;
  };
  const giveUpOn = (call: AuditedCall) => (error: unknown) => {
    failed.add(call);
    throw error;
  };
  const end = async (call: AuditedCall, result: AuditedEnd): Promise<void> => {
    const place = begun.get(call);
    if (place === undefined) await record(call, result);
    else await finish(call, place, result);
  };
  /** What was done is done: the answer says so, and the entry stays as one whose outcome is not known. */
  const finish = async (call: AuditedCall, place: AuditPlace, result: AuditedEnd): Promise<void> => {
    try {
      await call.lrs.audit.finish(place, { ...actOf(call), ...result });
    } catch (error) {
      logLack(call, error, result);
    }
  };
  const record = async (call: AuditedCall, result: AuditedEnd): Promise<void> => {
    const act = { ...actOf(call), ...result, triedName: call.triedName };
    await written(call.lrs.audit.record(act)).catch(giveUpOn(call));
  };

  return {
    before: ({ event }: Request<AuditedCall>) =>
      event.account !== undefined && begins(event) ? begin(event) : undefined,

    after: ({ event, response }: Request<AuditedCall, HttpResponse>) => {
      if (!isKept(event, response)) return undefined;
      const { stream } = response;
      if (stream === undefined) return end(event, endOf(event, response.statusCode));
      response.stream = withEnd(stream, (interrupted) =>
        end(event, { ...endOf(event, response.statusCode), interrupted }),
      );
      return undefined;
    },

    onError: async ({ event, response }: Request<AuditedCall, HttpResponse>) => {
      if (!isKept(event, response)) return;
      if (failed.has(event)) return;
      await end(event, endOf(event, response.statusCode)).catch((error: unknown) =>
        logLack(event, error, { status: response.statusCode }),
      );
    },
  };
}

function changes({ method }: AuditedCall): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** An answer that shows nothing of what was asked for needs no entry. */
function isKept(call: AuditedCall, response: HttpResponse | null): response is HttpResponse {
  const { account, triedName, isEmpty } = call;
  if (response === null || isEmpty === true) return false;
  return account !== undefined || (triedName !== undefined && response.statusCode !== tooManyRequests);
}

function actOf(call: AuditedCall): AuditedAct {
  const { account, subject, agent, keyPair, filters, requestId } = call;
  const action = actionOf(call);
  return {
    ...{ account, action, subject, agent, keyPair, filters, requestId },
    kind: kindOf(call),
    client: clientAddress(call),
  };
}

/** Under the paths of the routes, wherever `webserver.urlPrefix` has moved those of the xAPI. */
function actionOf({ method, path, variant, lrs }: AuditedCall): string {
  const { urlPrefix } = lrs.config.webserver;
  const isUnder = (prefix: string): boolean => path.startsWith(`${prefix}/`);
  const outside = isUnder('/attachments') ? '/attachments/{sha2}' : path;
  const route = isUnder(urlPrefix) ? `/xapi${path.slice(urlPrefix.length)}` : outside;
  return `${method} ${route}${variant === undefined ? '' : ` (${variant})`}`;
}

const sessionPaths: readonly string[] = [
  '/admin/account/login',
  '/admin/account/logout',
  '/admin/account/renew',
];

function kindOf(call: AuditedCall): AuditKind {
  if (sessionPaths.includes(call.path)) return 'session';
  return changes(call) && call.variant !== dryRun ? 'change' : 'disclosure';
}

/** The variant of a call that only asks what it would change. */
export const dryRun = 'dry run';

function endOf({ counts, merges }: AuditedCall, status: number): AuditedEnd {
  return { status, counts: status < 400 ? counts?.() : undefined, merges };
}

async function written<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (cause) {
    const refusal = 'The audit trail cannot be written now, so the request is not carried out.';
    const outage = outageOf(cause);
    throw new UnavailableError(outage === undefined ? refusal : `${refusal} ${outage.message}`, { cause });
  }
}

function logLack(call: AuditedCall, error: unknown, { status }: AuditedEnd): void {
  const { lrs, account, requestId } = call;
  lrs.logger.error(
    { err: error, requestId, action: actionOf(call), status, account: account?.id },
    'the audit trail lacks the outcome of a request',
  );
}
