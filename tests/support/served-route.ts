import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import { serve } from '../../lib/adapter/serve.ts';
import type { Logger } from '../../lib/logger.ts';

type Route = Parameters<typeof serve>[0]['route'];

export interface ServedRoute {
  /** Of HTTP and of HTTPS. */
  readonly ports: readonly [number, number];
  close(): Promise<void>;
}

/**
 * Serves a route by HTTP and by HTTPS, with a certificate made for it.
 * @param env settings of the server.
 */
export async function serveRoute(
  route: Route,
  { env, logger }: { readonly env: Readonly<Record<string, string>>; readonly logger: Logger },
): Promise<ServedRoute> {
  const directory = mkdtempSync(join(tmpdir(), 'served-route-'));
  const address = { LRS_HTTP_HOST: '127.0.0.1', LRS_HTTP_PORT: '0', LRS_SSL_PORT: '0' };
  const { webserver } = loadConfig({ env: { ...address, ...env }, cwd: directory }).config;
  const files = { keyPkeyFile: join(directory, 'key.pem'), keyCertChain: [join(directory, 'cert.pem')] };
  const servers = await serve({
    webserver: { ...webserver, ...files },
    keyPassword: undefined,
    route,
    logger,
  });
  return {
    ports: [servers[0]?.port ?? 0, servers[1]?.port ?? 0],
    async close() {
      await Promise.all(servers.map((server) => server.stop(0)));
      rmSync(directory, { recursive: true });
    },
  };
}
