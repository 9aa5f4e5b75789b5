import type { Config } from '../../config/types.ts';

type WebserverConfig = Config['webserver'];
type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Whether a browser's page of this origin may talk to the server: any when `allowAllOrigins`, else one of `allowedOrigins`
 * or, without that setting, of the server's usual own addresses. The server's own origin as the request itself names it
 * always may, so that its own pages work behind any address. Only host and port of it are compared: behind a proxy that ends
 * TLS the server doesn't know the scheme.
 */
export function isAllowedOrigin(origin: string, headers: Headers, webserver: WebserverConfig): boolean {
  if (webserver.allowAllOrigins) return true;
  if ((webserver.allowedOrigins ?? ownOrigins(webserver)).includes(origin)) return true;
  const host = hostOf(origin);
  return host !== undefined && host === requestedHost(origin, headers, webserver.trustProxy);
}

function ownOrigins({ httpHost, httpPort, sslPort }: WebserverConfig): string[] {
  return ['localhost', httpHost].flatMap((host) => [
    `http://${host}:${httpPort}`,
    `https://${host}:${sslPort}`,
    ...(httpPort === 80 ? [`http://${host}`] : []),
    ...(sslPort === 443 ? [`https://${host}`] : []),
  ]);
}

/** `host[:port]` of an `http` or `https` origin. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase();
}

/** The host that the client called; the port that the origin's scheme implies is left out, as browsers do. */
function requestedHost(origin: string, headers: Headers, trustProxy: boolean): string | undefined {
  const forwarded = trustProxy ? headers['x-forwarded-host']?.split(',')[0]?.trim() : undefined;
  const host = (forwarded ?? headers.host)?.toLowerCase();
  return host?.replace(/^https:/i.test(origin) ? /:443$/ : /:80$/, '');
}
