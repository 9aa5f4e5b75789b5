import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const script = join(import.meta.dirname, '../../dist/import.mjs');

/**
 * Imports everything of the source with the tool that `npm run build` has made, as a trusted source, beside the server that
 * uses the database of these settings.
 * @param source as `--from` of `npm run import` names it.
 * @throws Error unless all of it is there afterwards, and equal.
 */
export async function importInto(settings: Readonly<Record<string, string>>, source: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'serverless-lrs-'));
  const from = /^[a-z]+:\/\//.test(source) ? source : resolve(source);
  const args = ['--from', from, '--trusted', '--folder', folder];
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LRS_LOG_LEVEL: 'WARN', ...settings },
  });
  const status = await new Promise((ended, failed) => {
    child.once('error', failed);
    child.once('exit', ended);
  });
  await rm(folder, { recursive: true, force: true });
  if (status !== 0) throw new Error('The import is not complete; its report is above.');
}
