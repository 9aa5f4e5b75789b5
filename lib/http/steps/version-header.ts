import type { Request } from '@middy/core';
import type { XapiVersion } from '../../xapi/types.ts';
import { answeredVersion, refusedVersion } from '../../xapi/version.ts';
import type { OpenCall, Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/**
 * Names the version of the answer in `X-Experience-API-Version`, on errors too (xAPI 1.0.3 Communication 3.3): the
 * negotiated one, or the one that the request is refused as.
 */
export function versionHeader(): Step<OpenCall> {
  return named(refusedVersion);
}

/** The same, for a resource that answers without a version too: then the latest that the server speaks. */
export function latestVersionHeader(): Step<OpenCall> {
  return named(answeredVersion);
}

type Naming = (header: string | undefined, supported: readonly XapiVersion[]) => string;

function named(unnegotiated: Naming): Step<OpenCall> {
  const versionHeaderAfter = ({
    event,
    response,
  }: Request<OpenCall & Pick<Partial<XapiCall>, 'version'>, HttpResponse>): void => {
    if (response === null) return;
    const supported = event.lrs?.config.lrs.supportedVersions ?? ['1.0.3', '2.0.0'];
    response.headers['X-Experience-API-Version'] =
      event.version ?? unnegotiated(event.headers['x-experience-api-version'], supported);
  };
  return { after: versionHeaderAfter, onError: versionHeaderAfter };
}

/** The same, for a handler that also answers outside the xAPI: only under its prefix. */
export function versionHeaderUnderPrefix(): Step<OpenCall> {
  const { after } = latestVersionHeader();
  const versionHeaderUnderPrefixAfter = (request: Request<OpenCall, HttpResponse>): void => {
    const prefix = request.event.lrs?.config.webserver.urlPrefix ?? '/xapi';
    if (request.event.path.startsWith(`${prefix}/`)) after?.(request);
  };
  return { after: versionHeaderUnderPrefixAfter, onError: versionHeaderUnderPrefixAfter };
}
