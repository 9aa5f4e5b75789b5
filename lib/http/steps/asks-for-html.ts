import type { Request } from '@middy/core';
import { latestVersion } from '../../xapi/version.ts';
import type { Step, XapiCall } from '../call.ts';

/** Whether the call reads statements and prefers a page for people, as browsers do. */
export function asksForHtml({ method, headers, lrs }: XapiCall): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && lrs.config.webserver.enableStmtHtml && /^text\/html\b/i.test(headers.accept ?? '');
}

/** A browser names no version: it is shown what the latest says. */
export function versionForHtml(): Step<XapiCall> {
  const versionForHtmlBefore = ({ event }: Request<XapiCall>): void => {
    const name = 'x-experience-api-version';
    if (event.headers[name] !== undefined || !asksForHtml(event)) return;
    event.headers = { ...event.headers, [name]: latestVersion(event.lrs.config.lrs.supportedVersions) };
  };
  return { before: versionForHtmlBefore };
}
