import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { listens } from './listens.ts';
import { conditionLimit } from './time-limits.ts';

/** A ClamAV daemon that knows one signature. */
export interface Clamd {
  readonly port: number;
  stop(): Promise<void>;
}

const program = '/usr/sbin/clamd';

/** Whether the ClamAV daemon is installed. */
export const hasClamd = existsSync(program);
if (!hasClamd && process.env.LRS_TEST_FORBID_SKIP)
  throw new Error(`${program} is missing: install clamav-daemon.`);

/** What the daemon takes for malware. */
export const malware = 'malware that only these tests know';

/** Bytes of the longest content that the daemon takes. */
export const longestStream = 1024 * 1024;

export async function startClamd(): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'clamd-'));
  const database = join(folder, 'database');
  mkdirSync(database);
  writeFileSync(join(database, 'test.ndb'), `LRS-Test:0:*:${Buffer.from(malware).toString('hex')}\n`);
  const port = await freePort();
  const config = join(folder, 'clamd.conf');
  const lines = [
    'Foreground yes',
    `DatabaseDirectory ${database}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `StreamMaxLength ${longestStream}`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawn(program, [`--config-file=${config}`], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (const deadline = Date.now() + conditionLimit; !(await listens(port)); await sleep(20)) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error('The ClamAV daemon does not start.');
  }
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
