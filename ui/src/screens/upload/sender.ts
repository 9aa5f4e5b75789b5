import { sendXapi, type XapiAccess } from '../../api/xapi.ts';
import type { UploadOrder } from './engine/upload-run.ts';

/** Sends an array of statements through the xAPI. */
export function senderFor(access: XapiAccess): UploadOrder['send'] {
  return async (body, signal) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await sendXapi(access, 'statements', { method: 'POST', body, headers, signal });
    // The ids are known; what is not read would keep the connection.
    await response.body?.cancel();
  };
}
