import type { Request } from '@middy/core';
import type { Config } from '../../../config/types.ts';
import type { OpenCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

type WebserverConfig = Config['webserver'];
type Headers = readonly (readonly [string, string])[];

/** What an answer says when nobody knows the settings yet. */
const leastHeaders: Headers = [['X-Content-Type-Options', 'nosniff']];

/**
 * Tells browsers what they must not do with an answer: guess another content type, run what clients have stored as a page or
 * show it in a frame, tell others the address, come back in clear. A header that the handler has set itself stays.
 */
export function securityHeaders(): Step<OpenCall> {
  const securityHeadersAfter = ({ event, response }: Request<OpenCall, HttpResponse>): void => {
    if (response === null) return;
    const { headers } = response;
    for (const [name, value] of headersFor(event)) headers[name] ??= value;
  };
  return { after: securityHeadersAfter, onError: securityHeadersAfter };
}

interface HeaderSets {
  readonly inClear: Headers;
  readonly secure: Headers;
}

const known = new WeakMap<WebserverConfig, HeaderSets>();

/** A LRS that could not be opened has no settings. */
function headersFor({ lrs, ...call }: Omit<OpenCall, 'lrs'> & Partial<Pick<OpenCall, 'lrs'>>): Headers {
  if (lrs === undefined) return leastHeaders;
  const { webserver } = lrs.config;
  const sets = known.get(webserver) ?? headerSets(webserver);
  known.set(webserver, sets);
  return isSecure(call, webserver) ? sets.secure : sets.inClear;
}

/** The same headers for answers to what never becomes a request. @param isSecure whether the connection is encrypted. */
export function securityHeadersOf(webserver: WebserverConfig, isSecure: boolean): Record<string, string> {
  const { secure, inClear } = headerSets(webserver);
  return Object.fromEntries(isSecure ? secure : inClear);
}

/** A browser takes HSTS by HTTPS only, and RFC 6797 7.2 forbids to send it otherwise. */
function isSecure(call: Omit<OpenCall, 'lrs'>, { trustProxy }: WebserverConfig): boolean {
  return (
    call.isSecure || (trustProxy && call.headers['x-forwarded-proto']?.split(',')[0]?.trim() === 'https')
  );
}

function headerSets(webserver: WebserverConfig): HeaderSets {
  const inClear = present([
    ['X-Frame-Options', webserver.secHeadFrame],
    ['X-Content-Type-Options', webserver.secHeadContentType],
    ['X-XSS-Protection', webserver.secHeadXss],
    ['X-Download-Options', webserver.secHeadDownload],
    ['X-Permitted-Cross-Domain-Policies', webserver.secHeadCrossDomain],
    ['Content-Security-Policy', webserver.secHeadContent],
    ['Referrer-Policy', 'no-referrer'],
  ]);
  return {
    inClear,
    secure: [...inClear, ...present([['Strict-Transport-Security', webserver.secHeadHsts]])],
  };
}

const present = (headers: readonly (readonly [string, string | null])[]): Headers =>
  headers.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
