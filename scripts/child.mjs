import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program and collects what it prints. It is ended together with this process.
 * @param {readonly [string, ...string[]]} command
 * @param {{ cwd: string, env?: Record<string, string>, limit?: number }} options `env` is added to the environment of this
 *   process; `limit` is the time (ms) after which the program is ended
 * @returns {Promise<{ ok: boolean, output: string }>} `ok` is false, too, when there is no such program
 */
export async function run([program, ...args], { cwd, env = {}, limit }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm is a script there.
    shell: process.platform === 'win32',
    ...(limit !== undefined && { timeout: limit }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const end = (signal) => {
    child.kill(signal);
    process.exit(1);
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  try {
    const [status] = await once(child, 'close');
    return { ok: status === 0, output };
  } catch (error) {
    return { ok: false, output: String(error) };
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end);
  }
}

/** The end of what a program printed, where it says why it failed. */
export const lastLines = (output) => output.trimEnd().split('\n').slice(-25).join('\n');
