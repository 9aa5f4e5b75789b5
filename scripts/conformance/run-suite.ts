import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { XapiVersion } from '../../lib/xapi/types.ts';
import type { BuiltServer } from '../built-server.ts';

/** Where a prepared checkout of the official suite has its command line. */
export const suiteCommand = join('bin', 'console_runner.js');

const lastLines = 20;

/** Runs the suite in `directory` against the server and gives its JSON log. @throws Error when it writes none. */
export async function runSuite(
  directory: string,
  server: Pick<BuiltServer, 'url' | 'key' | 'secret'>,
  version: XapiVersion,
): Promise<string> {
  const login = ['-a', '-u', server.key, '-p', server.secret];
  const output = await outputOf(directory, [
    suiteCommand,
    '-x',
    version,
    '-e',
    `${server.url}/xapi`,
    ...login,
  ]);
  const path = /^Full run log written to (.+)$/m.exec(output)?.[1];
  if (path === undefined) {
    const end = output.trimEnd().split('\n').slice(-lastLines).join('\n');
    throw new Error(`The suite ended without a log. The end of what it printed:\n${end}`);
  }
  return readFileSync(path.trim(), 'utf8');
}

function outputOf(cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
