import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readOrCreatePassword } from './password-file.ts';
import { computeCluster } from './placement.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isServerOf } from './process-table.ts';
import { adminUrl, askServer } from './server-connection.ts';
import { hasServiceRole, serviceUrl } from './service-role.ts';

/** Where the server of a data folder is reached while a service runs on it; undefined when none runs. */
export async function findRunningServer(folder: string): Promise<string | undefined> {
  const dataDir = await realpath(folder).catch(() => undefined);
  const cluster = dataDir && (await computeCluster(dataDir));
  const file = cluster && (await readPostmasterFile(cluster));
  if (!file || file.port === undefined || !(await isServerOf(file.pid, cluster))) return undefined;
  const address = { port: file.port, password: await readOrCreatePassword(join(dataDir, 'postgres.password'), cluster) };
  if ((await askServer(address, cluster)) !== 'ready') return undefined;
  // A service of an older version, which is still running, has no role of its own.
  return (await hasServiceRole(address)) ? serviceUrl(address) : adminUrl(address);
}
