import type { Config, Secrets } from '../../config/types.ts';
import type { Logger } from '../logger.ts';
import { loadKeyPair } from './certificate.ts';
import type { LambdaHandler } from './listener.ts';
import { type RunningServer, startServer } from './server.ts';

export interface ServeOptions {
  readonly webserver: Config['webserver'];
  readonly keyPassword: Secrets['keyPassword'];
  readonly route: (method: string, path: string) => LambdaHandler;
  readonly logger: Logger;
}

/** Starts the configured servers: HTTPS on `sslPort` and, unless `enableHttp` is off, HTTP on `httpPort`. */
export async function serve({
  webserver,
  keyPassword,
  route,
  logger,
}: ServeOptions): Promise<RunningServer[]> {
  const { enableHttp, httpHost: host, httpPort, sslPort, maxBodyBytes } = webserver;
  const password = keyPassword === undefined ? {} : { keyPassword };
  const keyPair = await loadKeyPair({ ...webserver, ...password }, logger);
  const options = {
    route,
    maxBodyBytes,
    onFailure: (error: unknown) => logger.error({ err: error }, 'request could not be answered'),
  };
  const servers: RunningServer[] = [];
  try {
    if (enableHttp) {
      servers.push(await naming('httpPort', startServer({ host, port: httpPort }, options)));
    }
    servers.push(await naming('sslPort', startServer({ host, port: sslPort }, options, keyPair)));
  } catch (error) {
    await Promise.all(servers.map((server) => server.stop(0)));
    throw error;
  }
  return servers;
}

/** Says which setting a server that can't listen goes by. */
async function naming(key: 'httpPort' | 'sslPort', starting: Promise<RunningServer>): Promise<RunningServer> {
  try {
    return await starting;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`webserver.httpHost and webserver.${key} can't be listened on: ${reason}.`, {
      cause: error,
    });
  }
}
