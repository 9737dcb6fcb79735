import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/**
 * Runs `work` on a new, empty database of the server that `url` leads to, and drops it whatever comes of that. Rejects as soon as `signal`
 * is aborted; dropping ends the connections of work that goes on.
 */
export async function withTemporaryDatabase<T>(url: string, signal: AbortSignal, work: (url: string) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const name = `touchstone_rehearsal_${randomBytes(8).toString('hex')}`;
  const temporary = new URL(url);
  temporary.pathname = `/${name}`;
  try {
    await run(url, `create database ${name}`);
    return await unlessAborted(signal, () => work(temporary.href));
  } finally {
    await run(url, `drop database if exists ${name} with (force)`);
  }
}

/** Rejects as soon as `signal` is aborted, and leaves the work to whoever takes away what it works on. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'touchstone rehearsal' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
