import type { Request } from '@middy/core';
import { latestVersion } from '../../xapi/version.ts';
import type { Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/** Whether the call reads statements and prefers a page for people, as browsers do. */
export function asksForHtml(call: XapiCall): boolean {
  const { headers, lrs } = call;
  return reads(call) && lrs.config.webserver.enableStmtHtml && /^text\/html\b/i.test(headers.accept ?? '');
}

const reads = ({ method }: XapiCall): boolean => method === 'GET' || method === 'HEAD';

/** A browser names no version: it is shown what the latest says. Caches learn that the answer depends on `Accept`. */
export function versionForHtml(): Step<XapiCall> {
  const versionForHtmlBefore = ({ event }: Request<XapiCall>): void => {
    const name = 'x-experience-api-version';
    if (event.headers[name] !== undefined || !asksForHtml(event)) return;
    event.headers = { ...event.headers, [name]: latestVersion(event.lrs.config.lrs.supportedVersions) };
  };
  const versionForHtmlAfter = ({ event, response }: Request<XapiCall, HttpResponse>): void => {
    // A request may be refused before its store is open.
    const { lrs }: Partial<XapiCall> = event;
    if (response && reads(event) && lrs?.config.webserver.enableStmtHtml) response.headers.Vary ??= 'Accept';
  };
  return { before: versionForHtmlBefore, after: versionForHtmlAfter, onError: versionForHtmlAfter };
}
