import type { Request } from '@middy/core';
import { latestVersion } from '../../xapi/version.ts';
import type { Call, Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/**
 * Names the version of the answer in `X-Experience-API-Version`, on errors too: the negotiated one, or the latest that the
 * server speaks when none was negotiated (xAPI 1.0.3 Communication 3.3).
 */
export function versionHeader(): Step<Call> {
  const versionHeaderAfter = ({ event, response }: Request<Call & Partial<XapiCall>, HttpResponse>): void => {
    if (response === null) return;
    const supported = event.lrs?.config.lrs.supportedVersions ?? ['1.0.3', '2.0.0'];
    response.headers['X-Experience-API-Version'] = event.version ?? latestVersion(supported);
  };
  return { after: versionHeaderAfter, onError: versionHeaderAfter };
}

/** The same, for a door that also answers outside the xAPI: only under its prefix. */
export function versionHeaderUnderPrefix(): Step<Call> {
  const { after } = versionHeader();
  const versionHeaderUnderPrefixAfter = (request: Request<Call, HttpResponse>): void => {
    const prefix = request.event.lrs?.config.webserver.urlPrefix ?? '/xapi';
    if (request.event.path.startsWith(`${prefix}/`)) after?.(request);
  };
  return { after: versionHeaderUnderPrefixAfter, onError: versionHeaderUnderPrefixAfter };
}
