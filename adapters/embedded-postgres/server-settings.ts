import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';

const MEGABYTE = 1024 * 1024;
/** Longest path of a socket, without the closing NUL, on the systems we know. */
const LONGEST_SOCKET_PATH = 103;

export interface Machine {
  readonly memory: number;
  readonly processors: number;
}

/** Settings for a server that shares a small machine with us. Durability is left at PostgreSQL's defaults: on. */
export function serverSettings(
  cluster: string,
  port: number,
  machine: Machine = { memory: totalmem(), processors: availableParallelism() },
): Record<string, string> {
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(machine.memory / part / MEGABYTE, least), most))}MB`;
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketFolder(cluster, port),
    max_connections: '100',
    shared_buffers: share(8, 32, 256),
    effective_cache_size: share(2, 128, 8192),
    maintenance_work_mem: share(32, 32, 128),
    work_mem: '8MB',
    max_wal_size: '2GB',
    wal_compression: 'on',
    jit: 'off',
    random_page_cost: '1.1',
    max_parallel_workers_per_gather: machine.processors > 2 ? '2' : '1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Statements and row contents may hold what users sent; the log is no place for that.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
}

/** The cluster's own folder, where only the server's user gets at the socket; none when its path is too long. */
export function socketFolder(cluster: string, port: number): string {
  if (process.platform === 'win32') return '';
  const path = join(cluster, `.s.PGSQL.${port}`);
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) return '';
  return `"${cluster.replaceAll('"', '""')}"`;
}

export function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
