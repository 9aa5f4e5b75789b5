import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const script = join(import.meta.dirname, '../../dist/import.mjs');

/** What is imported: the options of `npm run import` that name it. */
export interface ImportedSource {
  readonly from: string;
  readonly lrs?: string | undefined;
  readonly files?: string | undefined;
  readonly attachments?: string | undefined;
}

/**
 * Imports everything of the source with the tool that `npm run build` has made, as a trusted source, beside the server that
 * uses the database of these settings.
 * @throws Error unless all of it is there afterwards, and equal.
 */
export async function importInto(
  settings: Readonly<Record<string, string>>,
  source: ImportedSource,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'serverless-lrs-'));
  const args = ['--trusted', '--folder', folder, ...argumentsOf(source)];
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

/** The tool works in a folder of its own, so that names of files become absolute. */
function argumentsOf({ from, lrs, files, attachments }: ImportedSource): string[] {
  const named = {
    from: /^[a-z]+:\/\//.test(from) ? from : resolve(from),
    lrs,
    files: files && resolve(files),
    attachments: attachments && resolve(attachments),
  };
  return Object.entries(named).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
}
