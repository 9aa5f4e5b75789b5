import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Owner, searchPath } from './installed-programs.ts';

const run = promisify(execFile);

export interface MariadbPrograms {
  readonly server: string;
  /** Makes the folder of data that a server starts with. */
  readonly installer: string;
}

/** @returns undefined when they are not installed. */
export function mariadbPrograms(): MariadbPrograms | undefined {
  const [server, installer] = ['mariadbd', 'mariadb-install-db'].map((program) => {
    const folder = searchPath().find((each) => existsSync(join(each, program)));
    return folder === undefined ? undefined : join(folder, program);
  });
  return server === undefined || installer === undefined ? undefined : { server, installer };
}

/**
 * Options with the files of one server, all in its folder. This includes the temporary ones: a server that starts deletes the
 * temporary tables of all others that use the same folder for them.
 */
export function mariadbFiles(folder: string): string[] {
  const files = { datadir: 'data', socket: 'socket', 'pid-file': 'pid' };
  const options = Object.entries(files).map(([name, file]) => `--${name}=${join(folder, file)}`);
  return [...options, `--tmpdir=${folder}`];
}

/** Makes the data of a server whose user `root` has no password. */
export async function installMariadb(installer: string, folder: string, owner: Owner): Promise<void> {
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await run(installer, ['--no-defaults', ...mariadbFiles(folder), ...options], { ...owner });
}
