/** Says in one line why the database cannot start, where the system gave us only a code. Other errors pass. */
export function startFailure(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error;
  const reason = REASONS[error.code];
  if (!reason) return error;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : dataDir;
  return new Error(`data folder ${dataDir} cannot be used: ${path} ${reason} (${error.message})`, { cause: error });
}

const NOT_OURS = 'is not readable and writable for this user';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_OURS,
  EPERM: NOT_OURS,
  EROFS: 'is on a read-only file system',
  ENOSPC: 'has no space left',
  EDQUOT: 'has no space left',
  // Code that Node reports when it cannot create folders on a read-only file system.
  ENOENT: 'is missing or cannot be created',
  EEXIST: 'is not a folder',
  ENOTDIR: 'is not a folder',
  ERR_SQLITE_ERROR: 'cannot be locked',
};
