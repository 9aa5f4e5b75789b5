import type { Request } from '@middy/core';
import { MaintenanceError } from '../../errors.ts';
import type { OpenCall, Step } from '../call.ts';

/** Refuses calls that would change something while the LRS is read-only; clients may try again when it is not. */
export function requireWritable(): Step<OpenCall> {
  const requireWritableBefore = ({ event: { method, lrs } }: Request<OpenCall>): void => {
    const { lrs: settings, store } = lrs.config;
    if (!settings.readOnly || method === 'GET' || method === 'HEAD') return;
    if (store?.isReadOnly) throw new MaintenanceError(`The store ${store.name} is read-only at the moment.`);
    throw new MaintenanceError('The LRS is read-only at the moment (lrs.readOnly, LRS_READ_ONLY).');
  };
  return { before: requireWritableBefore };
}

/**
 * Comes when the call is complete: its body may have arrived slowly, and the store may be read-only since. From then on, the
 * store waits for the call before it is read-only.
 */
export function beginWrite(): Step<OpenCall> {
  const beginWriteBefore = ({ event: { method, use } }: Request<OpenCall>): void => {
    if (method !== 'GET' && method !== 'HEAD') use?.beginWrite();
  };
  return { before: beginWriteBefore };
}
