import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { recordPrinted } from './disclosure/record.ts';
import { type Entrance, sendTo, settings } from './entrance.ts';
import { freePort } from './free-port.ts';
import { conditionLimit } from './time-limits.ts';

const root = join(import.meta.dirname, '../..');

/**
 * `serverless offline` over the built bundle, as `npm run offline` starts it, or with other options.
 * @param options such as `--useInProcess`
 */
export async function offlineEntrance(
  options: readonly string[] = ['--useInProcess'],
  scheme: 'http' | 'https' = 'http',
): Promise<Entrance> {
  const directory = mkdtempSync(join(tmpdir(), 'offline-'));
  const [httpPort, lambdaPort] = [await freePort(), await freePort()];
  const ports = ['--host', '127.0.0.1', '--httpPort', String(httpPort), '--lambdaPort', String(lambdaPort)];
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/serverless/bin/serverless.js'), 'offline', ...options, ...ports],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: directory, ...settings(directory) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const close = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(directory, { recursive: true });
  };
  try {
    await listening(child);
  } catch (error) {
    await close();
    throw error;
  }
  return { send: (request) => sendTo(`${scheme}://127.0.0.1:${httpPort}`, request), stage: '', close };
}

/** Resolves when the last of its servers, the one for HTTP, says that it is ready. */
function listening(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (reason: string): void => reject(new Error(`serverless offline ${reason}:\n${printed}`));
    const timer = setTimeout(() => fail('did not start in time'), conditionLimit);
    const read = (chunk: Buffer): void => {
      recordPrinted(chunk.toString());
      printed += chunk.toString();
      if (!printed.includes('Server ready')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => fail('ended'));
  });
}
