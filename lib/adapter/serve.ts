import type { Config, Secrets } from '../../config/types.ts';
import { codeOf } from '../errors.ts';
import { securityHeadersOf } from '../http/steps/security-headers.ts';
import type { Logger } from '../logger.ts';
import { loadKeyPair } from './certificate.ts';
import { watchKeyPair } from './certificate-watch.ts';
import { createLimits } from './limits.ts';
import type { LambdaHandler, ListenerOptions } from './listener.ts';
import { createRefusalLog } from './refusal-log.ts';
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
  const { enableHttp, httpHost: host, httpPort, sslPort } = webserver;
  const password = keyPassword === undefined ? {} : { keyPassword };
  const files = { ...webserver, ...password };
  const keyPair = await loadKeyPair(files, logger);
  const options = {
    route,
    limits: createLimits(webserver),
    checksHost: webserver.enableSni,
    onFailure: (error: unknown) => logger.error({ err: error }, 'request could not be answered'),
    onRefused: createRefusalLog(logger),
  };
  const optionsOf = (isSecure: boolean): ListenerOptions => ({
    ...options,
    refusalHeaders: securityHeadersOf(webserver, isSecure),
  });
  const servers: RunningServer[] = [];
  try {
    if (enableHttp) {
      servers.push(await naming('httpPort', startServer({ host, port: httpPort }, optionsOf(false))));
    }
    const secure = await naming('sslPort', startServer({ host, port: sslPort }, optionsOf(true), keyPair));
    const stopWatching = watchKeyPair(keyPair, {
      files,
      logger,
      onChange: (pair) => secure.useKeyPair(pair),
    });
    servers.push({
      ...secure,
      stop: (grace) => {
        stopWatching();
        return secure.stop(grace);
      },
    });
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
    if (codeOf(error)?.startsWith('ERR_OSSL')) {
      throw new Error(
        `webserver.keyPkeyFile and webserver.keyCertChain can't be used: ${reason}. The one must be the PEM key of the certificate that comes first in the other; an encrypted key needs webserver.keyPassword.`,
        { cause: error },
      );
    }
    throw new Error(
      `webserver.httpHost and webserver.${key} can't be listened on: ${reason}.${adviceOn(error, key)}`,
      { cause: error },
    );
  }
}

const variables = { httpPort: 'LRS_HTTP_PORT', sslPort: 'LRS_SSL_PORT' } as const;

/** What to do about it, where that is known. */
function adviceOn(error: unknown, key: 'httpPort' | 'sslPort'): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return ` Choose another port (${variables[key]}), or end the program that has this one.`;
  }
  if (code === 'EACCES') return ` Choose a port that this user may use, e.g. above 1023 (${variables[key]}).`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return ' Set LRS_HTTP_HOST to an address of this machine; 0.0.0.0 stands for all.';
  }
  return '';
}
