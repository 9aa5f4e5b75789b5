import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { loadConfig } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { failureReasons } from './failure-reasons.ts';

/* The health check of the container image: whether the server with this configuration is ready, as the exit code. */

const patience = 4000;
const firstServerError = 500;

try {
  const { webserver } = loadConfig(processSource()).config;
  const status = await statusOf(webserver);
  // With `enableSni`, 400 says that the certificate does not name this machine, not that the server is not ready.
  if (status >= firstServerError) throw new Error(`/health/ready is answered ${status}.`);
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}

interface Listens {
  readonly enableHttp: boolean;
  readonly httpHost: string;
  readonly httpPort: number;
  readonly sslPort: number;
}

function statusOf({ enableHttp, httpHost, httpPort, sslPort }: Listens): Promise<number> {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const options = {
    host: everywhere[httpHost] ?? httpHost,
    port: enableHttp ? httpPort : sslPort,
    path: '/health/ready',
    timeout: patience,
    // Whom clients trust is another question.
    rejectUnauthorized: false,
  };
  return new Promise((resolve, reject) => {
    const request = (enableHttp ? httpRequest : httpsRequest)(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy(new Error(`No answer within ${patience} ms.`)));
    request.on('error', reject);
    request.end();
  });
}
