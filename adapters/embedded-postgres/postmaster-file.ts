import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Contents of postmaster.pid, which a server writes into its cluster while it runs. */
export interface PostmasterFile {
  readonly pid: number;
  /** Absent until the server listens there; before that the port may still be somebody else's. */
  readonly port: number | undefined;
}

const NAME = 'postmaster.pid';
const PORT_LINE = 3;
const LISTEN_ADDRESS_LINE = 5;

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return text === undefined ? undefined : parsePostmasterFile(text);
}

/** Undefined when the text holds no process id: the server was killed between creating and filling the file. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  const pid = positiveNumber(lines[0]);
  if (pid === undefined) return undefined;
  return { pid, port: lines[LISTEN_ADDRESS_LINE] ? positiveNumber(lines[PORT_LINE]) : undefined };
}

/** For a file whose server is proven to be gone; PostgreSQL itself refuses when its process id belongs to somebody else now. */
export async function removePostmasterFile(cluster: string): Promise<void> {
  await rm(join(cluster, NAME), { force: true });
}

/** A stand-alone backend marks its process id with a minus sign. */
function positiveNumber(line: string | undefined): number | undefined {
  const number = Math.abs(Number.parseInt(line ?? '', 10));
  return number > 0 ? number : undefined;
}
