import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { userInfo } from 'node:os';

/** The user that the programs of a server run as; empty for the user of this process. */
export type Owner = { readonly uid?: number; readonly gid?: number };

/** Gives the folder to the server's user when this process is root. */
export function ownerOf(folder: string, user: string): Owner {
  if (userInfo().uid !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user]).toString()));
  if (uid === undefined || gid === undefined) return {};
  chownSync(folder, uid, gid);
  return { uid, gid };
}

export function searchPath(): string[] {
  return [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
}
