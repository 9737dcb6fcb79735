import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerUser } from './server-user.ts';

/** Owner and permission bits of a file, as `stat` reports them. */
export interface FileRights {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

const READ = 4;
const ENTER = 1;

export function mayEnter(folder: FileRights, user: ServerUser): boolean {
  return (getRights(folder, user) & ENTER) !== 0;
}

export function mayRead(file: FileRights, user: ServerUser): boolean {
  return (getRights(file, user) & READ) !== 0;
}

/** Whether `user` gets into an existing folder: into each folder above it, and into itself. */
export async function canReach(folder: string, user: ServerUser): Promise<boolean> {
  for (let path = await realpath(folder); ; path = dirname(path)) {
    if (!mayEnter(await stat(path), user)) return false;
    if (path === dirname(path)) return true;
  }
}

/** Whether `user` can run the programs below `root`. npm gives all files of a package the same rights, so samples tell. */
export async function canUsePrograms(root: string, user: ServerUser): Promise<boolean> {
  const program = join(root, 'bin', 'postgres');
  const share = join(root, 'share', 'postgresql');
  for (const folder of [dirname(program), join(root, 'lib', 'postgresql'), join(share, 'timezonesets')]) {
    if (!(await canReach(folder, user))) return false;
  }
  return mayEnter(await stat(program), user) && mayRead(await stat(join(share, 'postgres.bki')), user);
}

/** The owner's bits count for the owner even where others have more. */
function getRights({ uid, gid, mode }: FileRights, user: ServerUser): number {
  if (uid === user.uid) return mode >> 6;
  return gid === user.gid ? mode >> 3 : mode;
}
