import type { Request } from '@middy/core';
import type { AdminCall, Step } from '../call.ts';
import { clientAddress } from '../client-address.ts';
import type { HttpResponse } from '../types.ts';

/**
 * Keeps who did what through the administration, and how it ended, before the answer goes out. What strangers send is kept
 * only when it tried a password, and no more often than the throttle lets them try: nobody can fill the trail.
 */
export function auditTrail(): Step<AdminCall> {
  const auditTrailAfter = async ({ event, response }: Request<AdminCall, HttpResponse>): Promise<void> => {
    const { account, triedName, subject, dryRun, lrs, method, path } = event;
    const status = response?.statusCode;
    if (status === undefined || !(account || (triedName !== undefined && status !== 429))) return;
    const action = `${method} ${path}${dryRun ? ' (dry run)' : ''}`;
    const act = { account, triedName, action, subject, client: clientAddress(event), status };
    try {
      await lrs.audit.record(act);
    } catch (error) {
      // What was done is done: the answer says so, and the log says that the trail does not.
      lrs.logger.error(
        { err: error, action, status, account: account?.id },
        'the audit trail lacks an entry',
      );
    }
  };
  return { after: auditTrailAfter, onError: auditTrailAfter };
}
