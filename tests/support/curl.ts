import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { recordExchange } from './disclosure/record.ts';
import type { ClientAnswer } from './gateway-events.ts';

/** Whether this machine has curl. */
export const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;

if (!hasCurl) process.stderr.write('\n!!! There is no curl on this machine. ALL ITS TESTS ARE SKIPPED.\n\n');

const run = promisify(execFile);
const largest = 10_000_000;

/** Calls curl as one would in a terminal; the first argument that is an address is where it goes. */
export async function curl(...args: string[]): Promise<ClientAnswer> {
  const { stdout } = await run('curl', ['-sS', '-i', ...args], { encoding: 'buffer', maxBuffer: largest });
  const end = stdout.indexOf('\r\n\r\n');
  const [status = '', ...lines] = stdout.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const answer = {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: stdout.subarray(end + 4),
  };
  recordExchange(requestOf(args), answer);
  return answer;
}

/** What the arguments ask for, as far as the record needs it. */
function requestOf(args: readonly string[]): Parameters<typeof recordExchange>[0] {
  const after = (name: string): string[] => args.filter((_, index) => args[index - 1] === name);
  const { pathname } = new URL(args.find((argument) => argument.startsWith('http://')) ?? '');
  const headers = after('-H').map((line) => line.split(/: */, 2));
  return {
    method: after('-X')[0] ?? 'GET',
    path: pathname,
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    body: after('-d').join('&'),
  };
}
