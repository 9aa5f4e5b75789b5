import type { Request } from '@middy/core';
import { negotiateVersion as negotiate } from '../../xapi/version.ts';
import type { Step, XapiCall } from '../call.ts';

/** Reads `X-Experience-API-Version` and refuses the call when the server doesn't speak that version. */
export function negotiateVersion(): Step<XapiCall> {
  const negotiateVersionBefore = ({ event }: Request<XapiCall>): void => {
    event.version = negotiate(
      event.headers['x-experience-api-version'],
      event.lrs.config.lrs.supportedVersions,
    );
  };
  return { before: negotiateVersionBefore };
}
